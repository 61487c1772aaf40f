// Setting up a position: men in hand, the side to move, and whole boards turned, shifted or drawn
// by lot.

import { $, el } from "./dom.js";
import { empty, mirrored, shifted, swapped } from "./fen.js";
import { man, svg } from "./men.js";
import { sideWord, t } from "./words.js";

const MEN = ["K", "R", "N", "S", "M"];

export class Editor {
  /** `on` has `change(position)` and `random(ending, category, turn)`; `position()` gives the one shown. */
  constructor(board, on, position) {
    this.board = board;
    this.on = on;
    this.position = position;
    this.endings = [];
    this.ending = null;
  }

  /** The men beside the board, and the tools under it. */
  show(ending) {
    const { board } = this;
    const on = board.editing;
    for (const [id, colour] of [["tray-white", "w"], ["tray-black", "b"]]) {
      const tray = $(id);
      tray.hidden = !on;
      const side = board.flipped ? (colour === "w" ? "b" : "w") : colour;
      tray.replaceChildren(...(on ? this.tray(side) : []));
    }
    $("editor").hidden = !on;
    if (!on) return;
    const apply = (change) => () => {
      const changed = change(this.position());
      if (changed) this.on.change({ ...changed, limit: null, counted: 0, clock: 0 });
    };
    const button = (key, change) => el("button", { type: "button", onclick: apply(change), "data-do": key }, t(key));
    const arrow = (key, sign, files, ranks) => {
      const turned = board.flipped ? -1 : 1;
      return el("button", { type: "button", "aria-label": t(key), title: t(key), "data-do": key, onclick: apply((p) => shifted(p, files * turned, ranks * turned)) }, sign);
    };
    const turns = ["w", "b"].map((turn) => {
      const radio = el("input", { type: "radio", name: "turn", value: turn, onchange: apply((p) => ({ ...p, turn })) });
      radio.checked = this.position().turn === turn;
      return el("label", {}, radio, " ", t("toMove", { side: sideWord(turn) }));
    });
    if (ending && this.shown !== ending) {
      this.ending = ending;
      this.shown = ending;
    }
    const select = el("select", { "aria-label": t("ofEnding"), onchange: (event) => { this.ending = event.target.value; } },
      this.endings.map((name) => el("option", { value: name }, name)));
    if (this.ending) select.value = this.ending;
    const verdict = el("select", { "aria-label": t("verdict"), onchange: (event) => { this.verdict = event.target.value; } },
      el("option", { value: "" }, t("anyVerdict")),
      ["win", "cursed-win", "draw", "blessed-loss", "loss"].map((name) => el("option", { value: name }, name.endsWith("win") || name === "draw" || name === "loss"
        ? name === "cursed-win" ? `${t(name)} (+)` : t(name) : `${t(name)} (−)`)));
    verdict.value = this.verdict ?? "";
    const side = el("select", { "aria-label": t("anyTurn"), onchange: (event) => { this.turn = event.target.value; } },
      el("option", { value: "" }, t("anyTurn")), ["w", "b"].map((turn) => el("option", { value: turn }, t("toMove", { side: sideWord(turn) }))));
    side.value = this.turn ?? "";
    $("editor").replaceChildren(
      el("p", { class: "quiet" }, t("setUpHelp")),
      el("div", { class: "bar" }, turns),
      el("div", { class: "bar" },
        button("mirror", mirrored), button("swap", swapped),
        el("span", { class: "group", role: "group", "aria-label": t("shift") },
          arrow("shiftLeft", "←", -1, 0), arrow("shiftUp", "↑", 0, 1), arrow("shiftDown", "↓", 0, -1), arrow("shiftRight", "→", 1, 0)),
        button("clear", empty)),
      el("div", { class: "bar random" }, select, verdict, side,
        el("button", { type: "button", "data-do": "random", onclick: () => this.on.random(select.value, verdict.value, side.value) }, t("random"))),
    );
  }

  tray(side) {
    const { board } = this;
    const piece = (letter) => {
      const which = side === "w" ? letter : letter.toLowerCase();
      const picture = svg("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" });
      picture.append(man(which, 0, 0));
      const label = `${sideWord(side)}: ${t(letter)}`;
      const button = el("button", { type: "button", "aria-label": label, title: label, "aria-pressed": String(board.hand === which), "data-man": which }, picture);
      button.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        board.drag(event, which, (to, dragged) => {
          if (dragged && to !== null) board.on.put(to, which);
        });
      });
      button.addEventListener("click", () => {
        board.pick(null);
        board.hand = board.hand === which ? null : which;
        this.show();
      });
      return button;
    };
    const eraser = el("button", { type: "button", class: "eraser", "aria-label": t("remove"), title: t("remove"), "aria-pressed": String(board.hand === "x"), onclick: () => {
      board.hand = board.hand === "x" ? null : "x";
      this.show();
    } }, "×");
    return [...MEN.map(piece), eraser];
  }
}
