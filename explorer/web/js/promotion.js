// The panel of promotion: the verdict, the moves needed and the count if a bia promotes with this move.

import { $, Button, el, mark, write } from "./dom.js";
import { points } from "./account.js";
import { isWhite, parse } from "./fen.js";
import { distanceWords, neededAfter } from "./moves.js";
import { spoken } from "./notation.js";
import { colour, isOver, isPromotion, ranked } from "./reading.js";
import { sideWord, t } from "./words.js";

export class PromotionPanel {
  /** `on` has `play(uci)` and `look(uci, worth)`, called with null when the user looks at no move. */
  constructor(on) {
    this.heading = el("h2", { id: "promotion-name" });
    this.move = new Button(() => on.play(this.best.uci), { "data-do": "promote" });
    this.worth = el("span", { class: "worth" });
    this.distance = el("span");
    this.count = el("span");
    this.advice = el("b");
    this.row = el("p", {}, this.move.element, " ", this.worth, " ", this.distance);
    this.words = el("p", {}, this.count, " ", this.advice);
    for (const event of ["mouseenter", "focusin"]) this.row.addEventListener(event, () => on.look(this.best?.uci ?? null, this.best && colour(this.best.category)));
    for (const event of ["mouseleave", "focusout"]) this.row.addEventListener(event, () => on.look(null));
    this.none = el("p", { class: "quiet" });
    $("promotion").replaceChildren(this.heading, this.row, this.words, this.none);
  }

  /** Shows the best promotion of the side to move, if it has a bia. */
  show({ position, turn, rules, doc, exact, mayMove }) {
    const bia = position?.board.some((man) => man?.toUpperCase() === "P" && isWhite(man) === (turn === "w"));
    $("promotion").hidden = !doc || !bia || isOver(doc);
    if ($("promotion").hidden) return;
    const moves = ranked(doc);
    this.best = moves.find(isPromotion) ?? null;
    write(this.heading, t("promotion"));
    for (const part of [this.row, this.words]) part.hidden = this.best === null;
    this.none.hidden = this.best !== null;
    write(this.none, t("promoteNone", { side: sideWord(turn) }));
    mark($("promotion"), "data-worth", this.best && colour(this.best.category));
    if (this.best === null) return;
    this.move.show({ text: spoken(this.best.san), off: !exact || !mayMove });
    write(this.worth, t(this.best.category));
    write(this.distance, distanceWords(this.best, rules, true));
    write(this.count, countWords(this.best));
    write(this.advice, advice(this.best, moves[0]));
  }
}

/** Whether a promotion comes too early, and the best move of the position. */
export const advice = (promotion, best) => (points(promotion.category) < points(best.category) ? t("promoteEarly", { move: spoken(best.san) }) : t("promoteGood"));

/** The count that a promotion begins, in words. */
export function countWords(move) {
  const { count, details } = move;
  if (!count) return parse(details.fen)?.board.some((man) => man?.toUpperCase() === "P") ? t("promoteFree") : "";
  const { kind, limit, moves_available: left } = count;
  if (details.winner === null || left === null) return t("promoteCountDraw", { kind: t(kind), limit });
  const needed = neededAfter(move);
  return t(needed === null ? "promoteCountLeft" : "promoteCount", { kind: t(kind), limit, left, side: sideWord(details.winner), needed });
}
