// The verdict on the position in a sentence, and under each rule set.

import { $, Button, el, mark, write } from "./dom.js";
import { RULES } from "./fen.js";
import { problemWords } from "./problem.js";
import { availableAt, categoryAt, colour, hasBia, isOver, stated } from "./reading.js";
import { sideWord, t, worthWord } from "./words.js";

/** The verdict as a sentence. */
export function sentence(doc, n) {
  const { answer, winner } = doc;
  if (answer.checkmate) return t("isMate", { side: sideWord(answer.side_to_move) });
  if (answer.stalemate) return t("isStalemate");
  if (answer.insufficient_material) return t("isInsufficient");
  if (winner === null) return t("isDraw");
  const category = categoryAt(doc, n);
  const side = sideWord(winner);
  if (answer.missing_distances) {
    const key = category === null ? "undecided" : category === "win" || category === "loss" ? "winsUndated" : "countDrawUndated";
    return t(key, { side, material: answer.missing_distances });
  }
  const left = availableAt(doc, winner, n);
  const asean = answer.rules === "asean";
  const bia = hasBia(answer.fen);
  if (category === "win" || category === "loss") {
    if (answer.dth !== null) return t(bia ? (answer.dth === 1 ? "winsBia1" : "winsBia") : asean ? "winsCapture" : "winsHonor", { side, n: answer.dth, dtm: answer.dtm });
    // Mate may come later than the count's limit, after a capture that the bare king is forced to make.
    const wins = t("wins", { side, n: answer.dtm });
    return left !== null && answer.dtm > left ? `${wins} ${t("winsLate", { left })}` : wins;
  }
  if (answer.dth === null && left !== null && answer.dtm > left) return t(left === 1 ? "countDraw1" : "countDraw", { side, n: answer.dtm, left });
  return t(bia ? "countDrawBia" : asean && !doc.ending.bare ? "countDrawCapture" : "countDrawHonor", { side, n: answer.dtm });
}

/** A position that no table has, as a sentence. */
export function beyondSentence({ checkmate, stalemate, insufficient_material: insufficient, moves, side_to_move: side }, { board }) {
  if (checkmate) return t("isMate", { side: sideWord(side) });
  if (stalemate) return t("isStalemate");
  if (insufficient) return t("isInsufficient");
  const men = board.filter(Boolean).length;
  const known = moves.filter((move) => move.value !== null).length;
  return t(known ? "beyondEnters" : "beyond", { men, n: known });
}

export class VerdictPanel {
  constructor() {
    this.side = el("p", { class: "side" });
    this.sentence = el("p", { class: "sentence" });
    this.waiting = el("p", { class: "waiting" });
    $("verdict").replaceChildren(this.side, this.sentence, this.waiting);
  }

  /** Shows the sentence. Without an answer, shows that the answer is awaited or missing. */
  show({ turn, doc, n, refused, task, beyond, position }) {
    const host = $("verdict");
    write(this.side, turn ? t("toMove", { side: sideWord(turn) }) : "");
    write(this.sentence, doc ? sentence(doc, n) : beyond ? beyondSentence(beyond, position) : refused ? t("noAnswer") : "");
    write(this.waiting, doc || refused || beyond ? "" : t("loading"));
    this.waiting.hidden = Boolean(doc || refused || beyond);
    const final = doc && isOver(doc) ? worthOfEnd(doc, task) : beyond?.checkmate ? "loss" : null;
    mark(host, "data-worth", doc ? final ?? colour(categoryAt(doc, n)) : final);
  }
}

/** The moves that are needed and those that are left. `begun` is false if the count would begin now. */
function needsWords(needed, left, begun, bia) {
  if (needed === null) return "";
  if (left === null) return t(bia ? "needsBia" : "needsOnly", { n: needed });
  return t(begun ? "needs" : "needsFresh", { n: needed, left });
}

/** The colour of the end of a game: a mate is won for the player who gave it, also if the user was that player. */
const worthOfEnd = ({ answer }, task) => (!answer.checkmate ? "draw" : task?.result === "won" ? "win" : "loss");

/** The verdicts under the three rule sets, side by side. A click selects a rule set. */
export class RuleSets {
  constructor(choose) {
    this.cards = RULES.map((rules) => {
      const card = new Button(() => choose(rules), { "data-rules": rules });
      return { rules, card, name: el("span", { class: "name" }), worth: el("span", { class: "worth" }), detail: el("span", { class: "detail" }) };
    });
    for (const { card, name, worth, detail } of this.cards) card.element.append(name, worth, detail);
    $("sets").replaceChildren(...this.cards.map(({ card }) => card.element));
    $("sets").setAttribute("role", "group");
  }

  show({ rules: chosen, fen, doc, n, refused, others, task }) {
    mark($("sets"), "aria-label", t("rulesHeading"));
    for (const { rules, card, name, worth, detail } of this.cards) {
      mark(card.element, "aria-pressed", String(rules === chosen));
      write(name, t(rules));
      const none = { worth: "", detail: refused ? t("noAnswerShort") : "", kind: null };
      const other = others?.find((set) => set.rules === rules && !set.error);
      const said = doc ? this.said({ doc, n, task }, rules, rules === chosen) : other ? this.stated(other, hasBia(fen)) : none;
      write(worth, said.worth);
      write(detail, said.detail);
      mark(card.element, "data-worth", said.kind);
    }
  }

  /** The words on the card of one rule set. */
  said({ doc, n, task }, rules, chosen) {
    const set = doc.rule_sets.find((one) => one.rules === rules);
    if (set.error) return { worth: "", detail: problemWords({ message: set.error }), kind: "unknown" };
    if (isOver(doc)) return { worth: t(doc.answer.checkmate ? "mated" : "draw"), detail: "", kind: worthOfEnd(doc, task) };
    const category = chosen ? categoryAt(doc, n) : stated(set);
    const needed = set.dth ?? set.dtm;
    const left = chosen && doc.winner ? availableAt(doc, doc.winner, n) : set.count?.moves_available ?? null;
    // Under the other rule sets the count begins now, whatever number was said here.
    const begun = chosen || n === null || (n === undefined && !doc.answer.count?.started);
    const detail = needsWords(needed, left, begun, hasBia(doc.answer.fen));
    const mine = doc.winner === doc.answer.side_to_move;
    return { worth: worthWord(category, mine), detail, kind: colour(category) };
  }

  /** The words on the card of a rule set that has an answer though the chosen one has none. */
  stated(set, bia) {
    const category = stated(set);
    return { worth: worthWord(category, true), detail: needsWords(set.dth ?? set.dtm, set.count?.moves_available ?? null, true, bia), kind: colour(category) };
  }
}
