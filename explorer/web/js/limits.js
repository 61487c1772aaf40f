// The limits of the count against a bare king, by the men of the stronger side.

/** The men that decide makruk's limit, and the limit. The first that an army has applies. */
export const LIMITS = [["RR", 8], ["R", 16], ["SS", 22], ["NN", 32], ["S", 44], ["N", 64], ["M", 64]];

/** The men of White that decide the limit: the first entry of `LIMITS` that is on the board. */
export function limiting(board) {
  const army = board.filter(Boolean).join("");
  return LIMITS.map(([men]) => men).find((men) => army.split(men[0]).length > men.length) ?? "M";
}
