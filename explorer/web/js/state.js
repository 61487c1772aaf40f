// The one state of the page: the game, the rule set, and the answers of the tables about it.

import { judged } from "./account.js";
import * as api from "./api.js";
import { settings, Undo } from "./browser.js";
import { endingOf, format, inLetters, letteringOf, parse, uncounted } from "./fen.js";
import { Game } from "./game.js";
import { Asked } from "./store.js";

/** The position that the page begins with. */
export const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";

export const state = {
  rules: "makruk",
  game: new Game(START),
  /** The number at which the user holds the slider; undefined if the user holds no number. */
  preview: undefined,
  /**
   * An answer about the same position with another number, shown until the new answer arrives: `fen`, `doc` and `n`.
   */
  known: null,
  /** The line that shows what a move is worth: its `game`, the index of its `start`, the `line` and what `follows`. */
  why: null,
  /** The origin of the position, which determines where its errors are shown. */
  from: "link",
  /** A note about an action of the user that may have been unintended. */
  hint: "",
  /** The reason why no random position was found. */
  unlucky: "",
  style: settings.get("men") ?? "thai",
  aloud: settings.get("aloud") === "yes",
  /** A board without chequers, as in Thailand: as the language has it, unless the user has chosen. */
  plain: { yes: true, no: false }[settings.get("plain")] ?? null,
  /** The search that is on its way: `random`, or the mode that looks for a position. */
  searching: null,
  /** The current step of the introduction to the count. */
  lesson: 0,
  /**
   * The course in the count: its `chapter`, null for the introduction, the `question` on the board, and the index of the
   * answer that the user has `chosen`.
   */
  course: { chapter: null, ending: "", question: null, chosen: null },
  /** The man that the user pointed at last. */
  about: null,
};
export const undo = new Undo();

// `app.js` sets what happens when an answer arrives.
const nothing = () => {};
export const tables = new Asked(api.explore, nothing);
export const figures = new Asked(api.ending, nothing);
export const endings = new Asked(api.endings, nothing);
/** The answer under makruk about a position with bia, whose other rule sets have no tables. */
export const others = new Asked(api.explore, nothing);
/** The legal moves of a position that no table has. */
export const beyond = new Asked(api.moves, nothing);

/** A FEN of the tables in the letters that the page uses inside. */
export const canonical = (text) => inLetters(text, "makruk");
/** A FEN that somebody wrote. If its letters are not those of the rule set, it stays as it is, and cannot be drawn. */
export const written = (text, rules) => (parse(text, letteringOf(rules)) ? canonical(text) : text);
export const position = () => parse(state.game.fen, "makruk");
/** The FEN of the position in the letters of the rule set. */
export const fen = () => (position() ? inLetters(state.game.fen, letteringOf(state.rules)) : state.game.fen);

/** True while a question of the course waits for its answer. Everything that tells the answer is hidden. */
export const isAsking = () => state.course.question !== null && state.course.chosen === null;

/** The answer about the position on the board, if it has arrived. */
export const answer = () => (tables.status === "answered" && state.preview === undefined ? tables.answer : null);

/** The name of the question about the position on the board. */
export const keyOf = () => `${state.rules} ${fen()}`;

/** True if the list of endings shows that no table has the position on the board. */
export function isUntabled() {
  const now = endings.answer && position();
  const ending = now && endingOf(now);
  return Boolean(ending) && !endings.answer.includes(ending.material);
}

/** The legal moves of the position on the board if no table has it, once they have arrived. */
export const untabled = () => (beyond.status === "answered" && beyond.key === keyOf() && (tables.status === "refused" || isUntabled()) ? beyond.answer : null);

/** The legal moves of the position on the board, each with the FEN after it; null until they have arrived. */
export function options() {
  const doc = answer();
  if (!doc) return untabled()?.moves.map(({ uci, san, counted, fen: after }) => ({ uci, san, counted, fen: after })) ?? null;
  return doc.answer.moves.map(({ uci, san }, index) => ({ uci, san, counted: doc.moves[index].counted, fen: doc.moves[index].fen, ...judged(doc.answer, index) }));
}

/** Shows the position with another number counted; null if the count has not begun. */
export function withNumber(doc, n) {
  const next = uncounted(position());
  if (n === null) return next;
  return { ...next, limit: 2 * doc.numbers.limit, counted: doc.numbers.plies[n - doc.numbers.from] };
}
