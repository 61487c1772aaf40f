// The moves: one ranked list, recoloured and ranked anew as the count goes.

import { at, available, colour } from "./count.js";
import { $, el } from "./dom.js";
import { sideWord, t } from "./words.js";

const ORDER = ["win", "cursed-win", null, "draw", "blessed-loss", "loss"];

/** What each move is worth with a number said, the best first. */
export function ranked(doc, n) {
  const { numbers } = doc;
  const category = (details, answer) => {
    if (!numbers) return answer.category;
    return n === null ? details.fresh : at(details.runs, n);
  };
  const moves = doc.answer.moves.map((answer, index) => ({
    ...answer,
    details: doc.moves[index],
    index,
    category: category(doc.moves[index], answer),
  }));
  const wins = (move) => move.details.winner === move.for;
  // A win that the honor is too far for comes after those with a distance to it.
  const distance = (move) => {
    if (move.details.winner === null) return [0, 0];
    const far = doc.ending.bare ? move.dtm : move.dth ?? Infinity;
    return wins(move) ? [far, move.dtm] : [-far, -move.dtm];
  };
  return moves.sort((a, b) => {
    const [da, db] = [distance(a), distance(b)];
    const by = (i) => (da[i] === db[i] ? 0 : da[i] - db[i]);
    return ORDER.indexOf(a.category) - ORDER.indexOf(b.category) || by(0) || by(1) || a.index - b.index;
  });
}

/** How far a move is from the end, in words. */
function distanceWords(move) {
  if (move.checkmate) return t("mates");
  if (move.details.winner === null) return "";
  const wins = move.details.winner === move.for;
  const parts = [t(wins ? "matesIn" : "matedIn", { n: move.dtm })];
  if (move.dth !== null) parts.push(t(wins ? "honorIn" : "honorLostIn", { n: move.dth }));
  return parts.join(" · ");
}

/** Why a move is worth that. */
function reasonWords(doc, move, n) {
  const { details } = move;
  const left = doc.numbers && details.winner ? available(doc.numbers, details.winner, n) : details.available;
  if (move.checkmate) return t("whyMate");
  if (details.stalemate) return t("whyStale");
  if (details.bares?.dtm != null && details.bares.available !== null) {
    const late = details.bares.dtm > details.bares.available;
    return t(late ? "whyBaresLate" : "whyBares", { n: details.bares.dtm, left: details.bares.available });
  }
  if (details.winner === null) return move.capture ? t("whyCapture") : doc.winner ? t("whyHolds") : "";
  const needed = move.dth ?? move.dtm;
  if (left === null || left === undefined) return move.capture ? t("whyCapture") : "";
  const late = move.category === "cursed-win" || move.category === "blessed-loss";
  if (late && needed > left) return t("whyLate", { left, over: needed - left });
  if (late) return "";
  return t("whyWin", { left });
}

export class MovesPanel {
  /** `on` has `play(uci)` and `look(uci)`, with null when nothing is looked at. */
  constructor(on) {
    this.on = on;
    this.heading = el("h2");
    this.body = el("tbody");
    this.head = el("tr");
    this.table = el("table", {}, el("caption", { class: "unseen" }), el("thead", {}, this.head), this.body);
    this.none = el("p", { class: "quiet" });
    $("moves").replaceChildren(this.heading, this.table, this.none);
    this.rows = new Map();
  }

  /** Shows the moves with a number said. */
  show(doc, n, fresh = true) {
    this.heading.textContent = t("moves");
    this.table.caption.textContent = t("movesFor", { side: sideWord(doc.answer.side_to_move) });
    this.head.replaceChildren(...["move", "verdict", "distance", "reason"].map((key) => el("th", { scope: "col" }, t(key))));
    const moves = ranked(doc, n);
    this.table.hidden = moves.length === 0;
    this.none.hidden = moves.length > 0;
    this.none.textContent = t("noMoves");
    if (fresh) this.rows.clear();
    const rows = moves.map((move) => this.row(doc, move, n));
    // Rows that stay where they are keep the focus.
    if (fresh || rows.some((row, i) => this.body.children[i] !== row)) this.body.replaceChildren(...rows);
  }

  row(doc, move, n) {
    let row = this.rows.get(move.uci);
    if (!row) {
      const button = el("button", { type: "button", onclick: () => this.on.play(move.uci) }, move.san);
      row = el("tr", {
        onmouseenter: () => this.on.look(move.uci, row.dataset.worth),
        onmouseleave: () => this.on.look(null),
        onfocusin: () => this.on.look(move.uci, row.dataset.worth),
        onfocusout: () => this.on.look(null),
        onclick: (event) => event.target.closest("button") || this.on.play(move.uci),
      }, el("th", { scope: "row" }, button), el("td", {}, el("span", { class: "worth" })), el("td"), el("td", { class: "why" }));
      row.dataset.uci = move.uci;
      this.rows.set(move.uci, row);
    }
    const [, verdict, distance, why] = row.cells;
    row.dataset.worth = colour(move.category);
    verdict.firstChild.textContent = t(move.category);
    distance.textContent = distanceWords(move);
    why.textContent = reasonWords(doc, move, n);
    return row;
  }
}
