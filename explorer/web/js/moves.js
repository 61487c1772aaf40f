// The list of moves, ranked; ranks and colours change with the number of the count.

import { $, Button, el, fill, mark, write } from "./dom.js";
import { spoken } from "./notation.js";
import { categoryAt, colour, hasBia, isPromotion, ranked, unranked } from "./reading.js";
import { Term } from "./terms.js";
import { sideWord, t, worthWord } from "./words.js";

/** The columns whose headings have an explanation. */
const EXPLAINED = { verdict: true, distance: true };

/** The number of moves to the end after a move, in words. `bia` is true if there is a bia before the move. */
export function distanceWords(move, rules, bia) {
  if (move.checkmate) return t("mates");
  if (move.details.winner === null || move.dtm === null) return "";
  const wins = move.details.winner === move.for;
  const parts = [t(wins ? "matesIn" : "matedIn", { n: move.dtm })];
  // Captures that decide like mate: in ASEAN chess, those of any man; otherwise those of the last man or, with bia on
  // the board, those that lead to an ending without bia.
  const capture = bia ? "bia" : rules === "asean" ? "capture" : "honor";
  if (move.dth !== null) parts.push(t(`${capture}${wins ? "In" : "LostIn"}`, { n: move.dth }));
  return parts.join(" · ");
}

/** The loss from a move that is worse than the best one, in words. */
function mistakeWords(position, move) {
  if (position === null || move.category === null) return "";
  if (position === "win" && move.category !== "win") return t("thrown");
  if (position !== "loss" && move.category === "loss") return t("thrownDraw");
  return "";
}

/** The reason for a move's verdict. `saves` is true if other moves lose, `bia` if a bia stands before the move. */
function reasonWords(move, saves, bia) {
  const { details, left } = move;
  if (move.checkmate) return t("whyMate");
  if (move.known !== undefined) return t(move.known ? "whyEnters" : move.capture ? "whyCapture" : "");
  if (details.stalemate) return t("whyStale");
  if (details.bares?.dtm != null && details.bares.available !== null) {
    const late = details.bares.dtm > details.bares.available;
    return t(late ? "whyBaresLate" : "whyBares", { n: details.bares.dtm, left: details.bares.available });
  }
  if (isPromotion(move) || move.count) return conversionWords(move);
  if (details.winner === null) return move.capture ? t("whyCapture") : saves ? t("whyHolds") : bia ? t("whyNoMate") : "";
  const needed = move.dth ?? move.dtm;
  if (bia && (move.category === "cursed-win" || move.category === "blessed-loss")) return t("whyBiaLate", { n: move.dtm });
  if (bia && move.category === "loss") return t("whyBiaLost", { n: move.dtm });
  if (left === null || left === undefined) return move.capture ? t("whyCapture") : "";
  const late = move.category === "cursed-win" || move.category === "blessed-loss";
  if (late && needed > left) return t("whyLate", { left, over: needed - left });
  if (late) return "";
  return t("whyWin", { left });
}

/**
 * The moves that the winner needs after a move that begins a count; null where both sides then have men: the answer
 * holds the moves until the count begins, not those until the last man is taken.
 */
export function neededAfter({ count, dtm, details, ...move }) {
  if (count.kind !== "pieces-honor" || details.winner === null || dtm === null) return null;
  return details.winner === move.for ? dtm - 1 : dtm;
}

/** The ending after a promotion, or after the capture of the last bia. */
function conversionWords(move) {
  const which = isPromotion(move) ? "whyPromotes" : "whyLastBia";
  if (!move.count) return t("whyPromotesFree");
  const left = move.count.moves_available;
  const needed = neededAfter(move);
  if (move.details.winner === null || left === null) return t(`${which}Draw`);
  if (needed === null) return t(`${which}Left`, { left });
  return t(needed > left ? `${which}Late` : which, { n: needed, left });
}

export class MovesPanel {
  /**
   * `on` has `play(uci)`, `why(uci)`, which plays the refutation of a move, and `look(uci, worth)`, called with null when
   * the user looks at no move.
   */
  constructor(on) {
    this.on = on;
    this.heading = el("h2");
    this.body = el("tbody");
    this.head = el("tr");
    this.table = el("table", {}, el("caption", { class: "unseen" }), el("thead", {}, this.head), this.body);
    this.none = el("p", { class: "quiet" });
    $("moves").replaceChildren(this.heading, this.table, this.none);
    this.columns = ["move", "verdict", "distance", "reason"].map((key) => {
      const cell = this.head.appendChild(el("th", { scope: "col" }));
      const term = key in EXPLAINED ? new Term() : null;
      if (term) cell.append(term.element);
      return { key, show: (text) => (term ? term.show(text, key) : write(cell, text)) };
    });
    this.pressed = null;
    this.body.addEventListener("pointerdown", (event) => {
      this.pressed = this.playedBy(event.target);
    });
  }

  /** Shows the moves. Until their answer arrives, the rows are present but empty. */
  show({ fen, turn, rules, doc, n, refused, beyond }) {
    $("moves").hidden = Boolean(refused) && !beyond;
    this.fen = fen;
    this.rules = rules;
    this.bia = doc !== null && hasBia(doc.answer.fen);
    write(this.heading, t("moves"));
    write(this.table.caption, turn ? t("movesFor", { side: sideWord(turn) }) : "");
    for (const { key, show } of this.columns) show(t(key));
    const moves = doc ? ranked(doc, n) : beyond ? unranked(beyond) : [];
    const position = doc && categoryAt(doc, n);
    const saves = moves.some((move) => move.category === "loss");
    this.table.hidden = Boolean(doc ?? beyond) && moves.length === 0;
    this.none.hidden = !this.table.hidden;
    write(this.none, t("noMoves"));
    const rows = doc || beyond ? moves : refused ? [] : [...this.body.children].map(() => null);
    fill(this.body, rows, () => this.row(), (row, move) => this.update(row, move, move && mistakeWords(position, move), saves));
  }

  row() {
    const button = el("button", { type: "button" });
    const why = new Button(() => this.on.why(row.dataset.uci), { class: "small", "data-do": "why" });
    const look = () => row.dataset.uci && this.on.look(row.dataset.uci, row.dataset.worth);
    const row = el("tr", {
      onmouseenter: look,
      onmouseleave: () => this.on.look(null),
      onfocusin: look,
      onfocusout: () => this.on.look(null),
      onclick: (event) => this.click(event),
    }, el("th", { scope: "row" }, button), el("td", {}, el("span", { class: "worth" })), el("td"), el("td", { class: "why" }, el("span"), " ", why.element));
    return row;
  }

  update(row, move, mistake, saves) {
    const [name, verdict, distance, why] = row.cells;
    mark(row, "data-uci", move?.uci);
    const known = move !== null && (move.known ?? true);
    mark(row, "data-worth", known ? colour(move.category) : null);
    write(name.firstChild, move ? spoken(move.san) : "");
    mark(name.firstChild, "aria-disabled", move ? null : "true");
    mark(name.firstChild, "aria-label", move ? null : t("loading"));
    write(verdict.firstChild, known ? worthWord(move.category, move.details.winner === move.for) : "");
    write(distance, move ? distanceWords(move, this.rules, this.bia) : "");
    const [reason, refute] = why.children;
    write(reason, move ? [mistake, reasonWords(move, saves, this.bia)].filter(Boolean).join(": ") : "");
    // A move after which the player does not win has a line that shows it.
    const shows = known && move?.known === undefined && move !== null && !move.checkmate && (mistake !== "" || ["loss", "cursed-win"].includes(move.category));
    refute.hidden = !shows;
    write(refute, t("showWhy"));
    mark(refute, "aria-label", shows ? t("showWhyOf", { move: spoken(move.san) }) : null);
  }

  /** The move shown in the row that contains an element, with its position. */
  playedBy(target) {
    const uci = target.closest("tr")?.dataset.uci;
    return uci ? `${this.fen} ${uci}` : null;
  }

  /** Plays the move that was pressed, even if another move has appeared under the pointer since. */
  click(event) {
    const played = this.playedBy(event.target);
    const byPointer = event.detail > 0;
    if (event.target.closest("[data-do=why]")) return;
    if (!played || event.detail > 1 || (byPointer && this.pressed !== null && this.pressed !== played)) return;
    this.on.play(event.target.closest("tr").dataset.uci);
  }
}
