// The line above the board: the side to move and the last number said.

import { $, el, mark, write } from "./dom.js";
import { man, svg } from "./men.js";
import { numberSaid } from "./reading.js";
import { sideWord, t } from "./words.js";

export class Strip {
  constructor() {
    this.king = svg("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" });
    this.side = el("b");
    this.said = el("span", { class: "said" });
    $("strip").replaceChildren(this.king, this.side, this.said);
  }

  show({ turn, doc, n }) {
    $("strip").hidden = !turn;
    if (!turn) return;
    if (turn !== this.turn) this.king.replaceChildren(man(turn === "w" ? "K" : "k", 0, 0));
    this.turn = turn;
    write(this.side, t("toMove", { side: sideWord(turn) }));
    const number = doc?.numbers ? (n === undefined ? numberSaid(doc) : n) : null;
    const words = number === null ? "" : t("saidOf", { number, limit: doc.numbers.limit });
    write(this.said, words);
    mark(this.said, "hidden", words ? null : "hidden");
  }
}
