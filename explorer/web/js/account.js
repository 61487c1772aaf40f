// The mistakes of a game: moves that made the result worse for the player who made them.

const POINTS = { win: 1, loss: -1 };
/** The result of a category: 1 for a win, -1 for a loss, 0 for a draw, by the count or not. */
export const points = (category) => POINTS[category] ?? 0;

/** The record kept of a move: the verdicts before and after it, and a better move if there was one. */
export function judged({ category: was, moves }, index) {
  const is = moves[index].category;
  return { was, is, better: points(is) < points(was) ? moves[0].san : null };
}

/** True if a move made the result worse for its player. */
export const isMistake = (move) => move.was !== undefined && points(move.is) < points(move.was);

/** The mistakes of a game, each with the index of the position that it led to. */
export const mistakes = (game) => game.moves.flatMap((move, i) => (isMistake(move) ? [{ place: i + 1, move }] : []));
