// The parts of an answer, for the number in its FEN or for another one. `n` is that number: null if the count has not
// begun, undefined for the number in the FEN.

import { parse } from "./fen.js";

const WORTH = { win: "win", "cursed-win": "count", draw: "draw", "blessed-loss": "count", loss: "loss" };
/** The colour of a category. */
export const colour = (category) => WORTH[category] ?? "unknown";

const at = (runs, number) => runs.find((run) => run.from <= number && number <= run.to)?.category ?? null;

/** True if the position ends the game. */
export const isOver = ({ answer }) => answer.checkmate || answer.stalemate || answer.insufficient_material;

/** True if a FEN has a bia on the board: no count runs then. */
export const hasBia = (fen) => /p/i.test(fen.split(" ")[0]);

/** True if a move promotes a bia. */
export const isPromotion = ({ uci }) => uci.length > 4;

/** The number counted in the FEN; null if its count has not begun. It may exceed the limit. */
export function numberSaid({ answer, numbers }) {
  const { limit, counted } = parse(answer.fen);
  if (limit === null) return null;
  const { count } = answer;
  const honor = count?.started && count.kind !== "fifty-moves";
  const known = numbers ? numbers.plies.indexOf(counted) : -1;
  return honor ? count.counted : known >= 0 ? numbers.from + known : Math.ceil(counted / 2);
}

/** True if the count has passed its limit. */
export function isCountOver(doc) {
  const said = numberSaid(doc);
  return said !== null && doc.numbers !== null && said > doc.numbers.to;
}

/** The category; null if it cannot be known without distances, and they are missing. */
export const stated = ({ category, at_most: most }) => (most ? null : category);

/** The category of the position; null if it is undecided. */
export function categoryAt({ answer, numbers }, n) {
  if (n === undefined || !numbers) return stated(answer);
  return n === null ? numbers.fresh.category : at(numbers.runs, n);
}

/** The moves that the count leaves a side that would win; null if no count runs. */
export function availableAt({ answer, numbers }, side, n) {
  if (n === undefined || !numbers) return answer.count?.moves_available ?? null;
  return n === null ? numbers.fresh[side] : numbers.available[side][n - numbers.from] ?? null;
}

/** The moves that the count leaves the side that wins after a move. */
function availableAfter({ numbers }, details, n) {
  if (n === undefined || !numbers || details.winner === null) return details.available;
  return availableAt({ numbers }, details.winner, n);
}

/** The moves of a position that no table has: those that lead to a position of a table have a category. */
export const unranked = ({ moves }) => moves.map(({ value, ...move }, index) => {
  const category = value?.category ?? null;
  const other = move.for === "white" ? "black" : "white";
  const winner = { win: move.for, "cursed-win": move.for, "blessed-loss": other, loss: other }[category] ?? null;
  return { ...move, category, dtm: value?.dtm ?? null, dth: value?.dth ?? null, index, left: null, known: value !== null, details: { winner, stalemate: false, bares: null } };
});

const ORDER = ["win", "cursed-win", null, "draw", "blessed-loss", "loss"];

/** The moves, best first, each with its details, its category and the moves left. */
export function ranked(doc, n) {
  const asked = n !== undefined && doc.numbers;
  const category = (details) => (n === null ? details.fresh : at(details.runs, n));
  const moves = doc.answer.moves.map((answer, index) => ({
    ...answer,
    details: doc.moves[index],
    index,
    category: asked ? category(doc.moves[index]) : stated(answer),
    left: availableAfter(doc, doc.moves[index], n),
  }));
  // For the number in the FEN the tables have ranked the moves.
  if (!asked) return moves;
  const wins = (move) => move.details.winner === move.for;
  // A win whose distance to honor is not known comes after those with a distance.
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
