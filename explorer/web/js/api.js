// Questions to the tables, and their answers.

import { documentsOf, pgnOf } from "./parts.js";
import { answer } from "./source.js";

/** Answers embedded in the page, by path and query. If they cannot be read, the server is asked. */
const known = (() => {
  try {
    return Object(JSON.parse(document.getElementById("known").textContent));
  } catch {
    return {};
  }
})();

/** An answer of the server that refuses a question, with a sentence that gives the reason. */
export class Refused extends Error {
  /** `passing` is true if a later try may succeed. */
  constructor(kind, message, passing = false) {
    super(message);
    this.kind = kind;
    this.passing = passing;
  }
}

/** Fetches an address. `again` bypasses the browser's cache, which may contain an answer of an older server. */
async function ask(path, parameters, { signal, again = false } = {}, body) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined));
  // A FEN is easier to read in an address with its slashes, and with _ for spaces.
  const text = query.toString().replaceAll("%2F", "/");
  const address = text ? `${path}?${text}` : path;
  if (!again && Object.hasOwn(known, address)) return { status: 200, text: JSON.stringify(known[address]) };
  try {
    return await answer(path, text, { signal, again }, body);
  } catch (error) {
    throw new Refused("offline", String(error), true);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused("unreadable", text.slice(0, 200), true);
  }
}

/** HTTP statuses of a server that is busy, starting or stopped: a later try may succeed. */
const passing = (status) => status >= 500 || status === 429 || status === 408;

function refuse(status, text) {
  if (status < 400) return;
  let error = null;
  try {
    ({ error } = JSON.parse(text));
  } catch { /* Something between the page and the tables has answered. */ }
  throw new Refused(error?.kind ?? "offline", error?.message ?? "", passing(status) || !error);
}

async function document_(path, parameters, how) {
  const { status, text } = await ask(path, parameters, how);
  refuse(status, text);
  return parsed(text);
}

const underscored = (fen) => fen.replaceAll(" ", "_");
/** The first two fields of a FEN: the men and the side to move. */
const placed = (fen) => fen.split(" ").slice(0, 2).join(" ");
/** The largest length of a FEN in an address. A longer text cannot be a FEN. */
const LONGEST_FEN = 400;
const isText = (value) => typeof value === "string";

/** True if a document has every field that the page shows of a position. */
function isWhole({ answer, ending, moves, numbers, rule_sets: sets }) {
  const runs = (list) => Array.isArray(list) && list.every(({ from, to }) => from <= to);
  return isText(answer.fen) && isText(answer.category) && isText(answer.side_to_move) && isText(ending.material)
    && answer.moves.length === moves.length
    && answer.moves.every((move) => isText(move.uci) && isText(move.san) && isText(move.category))
    && moves.every((move) => isText(move.fen) && runs(move.runs))
    && (numbers === null || (runs(numbers.runs) && numbers.plies.length === numbers.to - numbers.from + 1
      && numbers.fresh.category !== undefined && numbers.available.white.length === numbers.plies.length))
    && sets.length === 3 && sets.every((set) => isText(set.rules) && (isText(set.category) || isText(set.error)));
}

/**
 * Everything that the page shows of a position. `drawn` is false for a text that the page cannot draw and only
 * the tables can read; otherwise the answer must be about the same men.
 */
export async function explore({ fen, rules, drawn }, how) {
  if (fen.length > LONGEST_FEN) throw new Refused("too-long", "");
  const doc = await document_("/v1/explore", { fen: underscored(fen), rules }, how);
  let fits = false;
  try {
    fits = isWhole(doc) && doc.answer.rules === rules && (!drawn || placed(doc.answer.fen) === placed(fen));
  } catch { /* Something that is to be there is not. */ }
  if (!fits) throw new Refused("unreadable", "", true);
  return doc;
}
/** Asks for the legal moves of any position of a game. */
export async function moves({ fen, rules }, how) {
  const found = await document_("/v1/moves", { fen: underscored(fen), rules }, how);
  if (placed(found?.fen ?? "") !== placed(fen) || found.rules !== rules || !found.moves.every((move) => isText(move.uci) && isText(move.san) && isText(move.fen))) throw new Refused("unreadable", "", true);
  return found;
}
/** Asks for best play by both sides to the end of the game. */
export const line = (fen, rules, how) => document_("/v1/line", { fen: underscored(fen), rules }, how);
/** Asks for the line after a move with which the opponent shows what the move is worth. */
export async function why({ fen, rules }, move, how) {
  const found = await document_("/v1/why", { fen: underscored(fen), rules, move }, how);
  if (placed(found?.fen ?? "") !== placed(fen) || found.move.uci !== move || !Array.isArray(found.moves)) throw new Refused("unreadable", "", true);
  return found;
}
/** Asks for a question of the course. */
export async function course({ lesson, rules, ending }, how) {
  const found = await document_("/v1/course", { lesson, rules, ending, seed: Math.floor(Math.random() * 2 ** 48) }, how);
  if (found?.lesson !== lesson || !isText(found.fen) || !(found.options?.length > found.right)) throw new Refused("unreadable", "", true);
  return found;
}
/** Asks for the endings of which the server has tables. */
export async function endings(_, how) {
  const list = await document_("/v1/endings", {}, how);
  if (!Array.isArray(list?.endings)) throw new Refused("unreadable", "", true);
  return list.endings.map((ending) => ending.material);
}
/** Asks for the statistics of an ending. */
export async function ending(material, how) {
  const figures = await document_(`/v1/endings/${material}`, {}, how);
  if (figures?.material !== material || !Array.isArray(figures.rules) || !figures.examples) throw new Refused("unreadable", "", true);
  return figures;
}
/** Asks for a random position of an ending. `dtm` may limit its moves to mate, as `from..to`. */
export const random = (ending, rules, category, turn, dtm, how) => document_("/v1/random", {
  ending,
  rules,
  category: category || null,
  turn: turn || null,
  dtm,
  seed: Math.floor(Math.random() * 2 ** 48),
}, how);
/** Asks for the reply with which the opponent in practice resists longest. */
export async function reply({ fen, rules }, how) {
  const found = await document_("/v1/reply", { fen: underscored(fen), rules }, how);
  if (placed(found?.fen ?? "") !== placed(fen) || found.rules !== rules) throw new Refused("unreadable", "", true);
  return found;
}
/** The most cells that a search for a day's puzzle examines. */
const DAILY_CELLS = 2 ** 22;
/** Asks for puzzles of an ending, and of a theme if one is given. */
export async function puzzles(ending, rules, theme, seed, how, limits = { limit: 30 }) {
  const { status, text } = await ask("/v1/puzzles", { ending, rules, turn: "any", theme: theme || null, seed, ...limits }, how);
  refuse(status, text);
  const found = text.split("\n").filter(Boolean).map(parsed);
  if (found.length === 0) throw new Refused("not-found", "");
  return found;
}
/**
 * Asks for an ending's puzzle of a day. The limit on cells, unlike one on time, gives everyone the same puzzle. A static
 * site has one list of puzzles for all days.
 */
export async function daily(ending, day, how) {
  const found = await puzzles(ending, "makruk", null, day, how, { limit: 1, cells: DAILY_CELLS });
  return found[day % found.length];
}
/** Annotates a part of a file in a format, and returns the text of the answer. */
async function annotation(format, body) {
  const { status, text } = await ask("/v1/annotate", { format }, {}, body);
  refuse(status, text);
  return text;
}
/** Annotates the games of a file; returns a document for each. */
export const annotate = (file) => documentsOf(file, async (body) => (await annotation("json", body)).split("\n").filter(Boolean).map(parsed));
/** Annotates the games of a file; returns a PGN with comments. */
export const annotated = (file) => pgnOf(file, (body) => annotation("pgn", body));
