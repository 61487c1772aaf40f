// Random positions, the same each time.
"use strict";

const RULES = ["makruk", "asean", "ouk"];
const LETTERS = { S: "B", M: "Q" };

let state = 1;
/** Starts another sequence. */
const seed = (number) => { state = number; };
function below(limit) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}
const one = (list) => list[below(list.length)];

/** A square for a man; a bia is mostly on ranks that the tables have. Squares are counted from the upper left. */
function squareOf(man, white) {
  if (man !== "P" || below(10) === 0) return below(64);
  return 8 * (white ? 3 : 2) + below(24);
}

/** The men of an ending on random squares, either side to move: a FEN, which may be illegal. */
function placed(ending, rules) {
  const swapped = below(2) === 1;
  const board = Array(64).fill(null);
  ending.split("v").forEach((men, side) => {
    for (const man of men) {
      const white = (side === 1) === swapped;
      let at = squareOf(man, white);
      while (board[at]) at = squareOf(man, white);
      const letter = rules === "asean" ? LETTERS[man] ?? man : man;
      board[at] = white ? letter : letter.toLowerCase();
    }
  });
  const ranks = Array.from({ length: 8 }, (_, rank) => board.slice(8 * rank, 8 * rank + 8).map((man) => man ?? "1").join("").replace(/1+/g, (empty) => empty.length));
  return `${ranks.join("/")} ${one(["w", "b"])}`;
}

module.exports = { RULES, below, one, placed, seed };
