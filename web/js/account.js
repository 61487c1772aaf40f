// Where the result of a game changed: moves that made it worse for the player who made them.

const POINTS = { win: 1, loss: -1 };
/** What a category is worth as a result: 1 for a win, -1 for a loss, 0 for a draw, by the count or not. */
export const points = (category) => POINTS[category] ?? 0;

/** What is to be kept of a move for the account: the verdicts before and after it, and a better move. */
export function judged({ category: was, moves }, index) {
  const is = moves[index].category;
  return { was, is, better: points(is) < points(was) ? moves[0].san : null };
}

/** True if a move made the result worse for its player. */
export const isMistake = (move) => move.was !== undefined && points(move.is) < points(move.was);

/** The places of a game after which the result had become worse, with the moves. */
export const mistakes = (game) => game.moves.flatMap((move, i) => (isMistake(move) ? [{ place: i + 1, move }] : []));
