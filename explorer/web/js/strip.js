// The line above the board: the side to move, which a click changes, and the last number said.

import { $, el, mark, write } from "./dom.js";
import { man, svg } from "./men.js";
import { numberSaid } from "./reading.js";
import { sideWord, t } from "./words.js";

export class Strip {
  /** `turn()` lets the other side move. */
  constructor(turn) {
    this.king = svg("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" });
    this.side = el("b");
    this.said = el("span", { class: "said" });
    this.other = el("span", { class: "other", "aria-hidden": "true" }, "⇄");
    this.switch = el("button", { type: "button", "data-do": "turn", onclick: () => this.off || turn() }, this.king, this.side, this.other);
    $("strip").replaceChildren(this.switch, this.said);
  }

  show({ turn, doc, n, position, playing }) {
    $("strip").hidden = !turn;
    if (!turn) return;
    if (turn !== this.turn) this.king.replaceChildren(man(turn === "w" ? "K" : "k", 0, 0));
    this.turn = turn;
    write(this.side, t("toMove", { side: sideWord(turn) }));
    this.off = playing || !position;
    this.other.hidden = this.off;
    mark(this.switch, "aria-disabled", this.off ? "true" : null);
    mark(this.switch, "title", this.off ? null : t("letMove", { side: sideWord(turn === "w" ? "b" : "w") }));
    const number = doc?.numbers ? (n === undefined ? numberSaid(doc) : n) : null;
    const words = number === null ? "" : t("saidOf", { number, limit: doc.numbers.limit });
    write(this.said, words);
    mark(this.said, "hidden", words ? null : "hidden");
  }
}
