// Setting up a position: a tray of men, the side to move, and the whole position turned, shifted or drawn at random.

import { $, Button, el, mark, offer, write } from "./dom.js";
import { empty, mirrored, shifted, swapped } from "./fen.js";
import { man, svg } from "./men.js";
import { endingName } from "./names.js";
import { Search } from "./search.js";
import { sideWord, t } from "./words.js";

const MEN = ["K", "R", "N", "S", "M", "P"];
const VERDICTS = ["win", "cursed-win", "draw", "blessed-loss", "loss"];

export class Editor {
  /** `on` has `change(position)`, `begin()`, which opens the start position, `random(ending, category, turn)` and
   * `cancel()`, which ends the search for a random position; `position()` returns the position shown.
   */
  constructor(board, on, position) {
    this.board = board;
    this.on = on;
    this.position = position;
    this.trays = ["white", "black"].map((name) => new Tray($(`tray-${name}`), board, () => this.redraw()));
    this.help = el("p", { class: "quiet" });
    this.turns = ["w", "b"].map((turn) => {
      const radio = el("input", { type: "radio", name: "turn", value: turn, onchange: () => this.apply((p) => ({ ...p, turn })) });
      const name = el("span");
      return { turn, radio, name, label: el("label", {}, radio, " ", name) };
    });
    const button = (key, change) => ({ key, button: new Button(() => this.apply(change), { "data-do": key }) });
    const turned = (by) => (board.flipped ? -by : by);
    const arrow = (key, sign, files, ranks) => ({ ...button(key, (p) => shifted(p, turned(files), turned(ranks))), sign });
    this.whole = [button("mirror", mirrored), button("swap", swapped)];
    this.arrows = [arrow("shiftLeft", "←", -1, 0), arrow("shiftUp", "↑", 0, 1), arrow("shiftDown", "↓", 0, -1), arrow("shiftRight", "→", 1, 0)];
    this.clear = button("clear", empty);
    this.start = new Button(on.begin, { "data-do": "begin" });
    this.groupName = el("span");
    this.group = el("span", { class: "group", role: "group" }, this.groupName, this.arrows.map((one) => one.button.element));
    const picked = () => { this.chosen = this.ending.value; };
    [this.ending, this.verdict, this.turn] = [el("select", { onchange: picked }), el("select"), el("select")];
    this.random = new Button(() => on.random(this.ending.value, this.verdict.value, this.turn.value), { "data-do": "random" });
    this.search = new Search(on.cancel);
    this.problem = el("p", { class: "problem", role: "alert" });
    $("editor").replaceChildren(
      this.help,
      el("div", { class: "bar" }, this.turns.map((one) => one.label)),
      el("div", { class: "bar" }, this.whole.map((one) => one.button.element), this.group, this.clear.button.element, this.start.element),
      el("div", { class: "bar random" }, this.ending, this.verdict, this.turn, this.random.element),
      this.search.element,
      this.problem,
    );
  }

  /** Changes the position shown and drops its count. */
  apply(change) {
    const changed = change(this.position() ?? empty());
    if (changed) this.on.change(changed);
  }

  redraw() {
    this.show(this.shown);
  }

  /** Shows the men beside the board and the tools below it. */
  show(shown) {
    this.shown = shown;
    const { board } = this;
    const on = board.editing;
    this.trays.forEach((tray, i) => tray.show(on, (i === 0) === board.flipped ? "b" : "w"));
    $("editor").hidden = !on;
    if (!on) return;
    write(this.help, t("setUpHelp"));
    const turn = this.position()?.turn ?? "w";
    for (const one of this.turns) {
      write(one.name, t("toMove", { side: sideWord(one.turn) }));
      one.radio.checked = one.turn === turn;
    }
    for (const { key, button } of [...this.whole, this.clear]) button.show({ text: t(key) });
    for (const { key, button, sign } of this.arrows) button.show({ text: sign, name: t(key) });
    this.start.show({ text: t("startPosition") });
    write(this.groupName, t("shift"));
    mark(this.group, "aria-label", t("shift"));
    this.random.show({ text: t("random"), off: shown.searching !== null });
    this.search.show(shown.searching === "random");
    write(this.problem, shown.problem);
    this.problem.hidden = !shown.problem;
    this.showChoices(shown);
  }

  showChoices({ endings, ending }) {
    // Follows the ending on the board until the user chooses another.
    if (ending !== this.followed) [this.followed, this.chosen] = [ending, ending];
    const sides = ["w", "b"].map((turn) => [turn, t("toMove", { side: sideWord(turn) })]);
    const verdicts = VERDICTS.map((name) => [name, name === "cursed-win" ? `${t(name)} (+)` : name === "blessed-loss" ? `${t(name)} (−)` : t(name)]);
    offer(this.ending, endings.map((name) => [name, endingName(name)]), t("ofEnding"));
    if (endings.includes(this.chosen)) this.ending.value = this.chosen;
    offer(this.verdict, [["", t("anyVerdict")], ...verdicts], t("verdict"));
    offer(this.turn, [["", t("anyTurn")], ...sides], t("anyTurn"));
  }
}

/** The tray of one side: its men, and the tool that removes men. */
class Tray {
  constructor(host, board, changed) {
    this.host = host;
    this.board = board;
    this.men = MEN.map((letter) => {
      const picture = svg("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" });
      const button = new Button(() => {
        board.pick(null);
        board.hand = board.hand === this.which(letter) ? null : this.which(letter);
        changed();
      });
      button.element.append(picture);
      button.element.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        const which = this.which(letter);
        board.drag(event, which, (to, dragged) => {
          if (dragged && to !== null) board.on.put(to, which);
        });
      });
      return { letter, picture, button: button.element };
    });
    this.eraser = new Button(() => {
      board.hand = board.hand === "x" ? null : "x";
      changed();
    }, { class: "eraser" });
    host.replaceChildren(...this.men.map((one) => one.button), this.eraser.element);
  }

  which(letter) {
    return this.side === "w" ? letter : letter.toLowerCase();
  }

  show(on, side) {
    this.host.hidden = !on;
    if (!on) return;
    const other = side !== this.side;
    this.side = side;
    for (const { letter, picture, button } of this.men) {
      const which = this.which(letter);
      const label = `${sideWord(side)}: ${t(letter)}`;
      if (other) picture.replaceChildren(man(which, 0, 0));
      mark(button, "aria-label", label);
      mark(button, "title", label);
      mark(button, "data-man", which);
      mark(button, "aria-pressed", String(this.board.hand === which));
    }
    this.eraser.show({ text: "×", name: t("remove"), pressed: String(this.board.hand === "x") });
  }
}
