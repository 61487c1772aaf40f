// Reads positions from standard input, as examples/random_positions.rs prints them, and says where
// Fairy-Stockfish sees them otherwise.
"use strict";

const ffish = require("ffish");
const readline = require("readline");

const [variant, expected] = process.argv.slice(2);
const SHOWN = 10;

// The same position as Fairy-Stockfish sees it, in the same form.
function witness(board, ours) {
  board.setFen(ours.fen);
  const check = board.isCheck();
  const stuck = board.numberLegalMoves() === 0;
  const uci = board.legalMoves().split(" ").filter(Boolean).sort();
  return {
    fen: board.fen(),
    check,
    checkmate: stuck && check,
    stalemate: stuck && !check,
    // It also ends games for want of mating material, which is not asked about here.
    over: board.isGameOver() && (stuck || !board.isInsufficientMaterial()),
    result: stuck ? board.result() : "*",
    moves: uci.map((move) => [move, board.sanMove(move)]),
  };
}

// What our own fields say of the two that the example does not print.
function complete(ours) {
  const mated = ours.fen.includes(" w ") ? "0-1" : "1-0";
  return {
    ...ours,
    over: ours.checkmate || ours.stalemate,
    result: ours.checkmate ? mated : ours.stalemate ? "1/2-1/2" : "*",
  };
}

async function compare() {
  const board = new ffish.Board(variant);
  const count = { positions: 0, moves: 0, check: 0, checkmate: 0, stalemate: 0, differences: 0 };
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const ours = complete(JSON.parse(line));
    const theirs = witness(board, ours);
    count.positions += 1;
    count.moves += ours.moves.length;
    for (const state of ["check", "checkmate", "stalemate"]) {
      count[state] += ours[state] ? 1 : 0;
    }
    for (const field of Object.keys(theirs)) {
      const [here, there] = [ours[field], theirs[field]].map((value) => JSON.stringify(value));
      if (here !== there) {
        count.differences += 1;
        if (count.differences <= SHOWN) {
          console.error(`${variant}: ${ours.fen}: ${field}: ${here} here, ${there} there`);
        }
      }
    }
  }
  board.delete();
  console.log(
    `${variant}: ${count.positions} positions, ${count.moves} moves, ${count.differences} differences` +
      ` (${count.check} in check, ${count.checkmate} mates, ${count.stalemate} stalemates)`,
  );
  const all = count.positions === Number(expected);
  if (!all) {
    console.error(`${variant}: ${expected} positions were asked for, but ${count.positions} came`);
  }
  process.exitCode = all && count.differences === 0 ? 0 : 1;
}

ffish.onRuntimeInitialized = compare;
