// Reads positions from standard input, as random_positions.rs prints them, and reports where Fairy-Stockfish differs.
"use strict";

const { run } = require("./report.js");

const [variant, expected] = process.argv.slice(2);
const count = { moves: 0, check: 0, checkmate: 0, stalemate: 0 };

// The position as Fairy-Stockfish reads it, in the same form.
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
    // It also ends games for insufficient material, which this comparison leaves out.
    over: board.isGameOver() && (stuck || !board.isInsufficientMaterial()),
    result: stuck ? board.result() : "*",
    moves: uci.map((move) => [move, board.sanMove(move)]),
  };
}

// Adds two fields that the example does not print but that follow from others.
function complete(ours) {
  const mated = ours.fen.includes(" w ") ? "0-1" : "1-0";
  return {
    ...ours,
    over: ours.checkmate || ours.stalemate,
    result: ours.checkmate ? mated : ours.stalemate ? "1/2-1/2" : "*",
  };
}

function compare(board, position, report) {
  const ours = complete(position);
  const theirs = witness(board, ours);
  count.moves += ours.moves.length;
  for (const state of ["check", "checkmate", "stalemate"]) {
    count[state] += ours[state] ? 1 : 0;
  }
  for (const field of Object.keys(theirs)) {
    report.compare(ours.fen, field, ours[field], theirs[field]);
  }
}

function summary(report) {
  return (
    `${count.moves} moves, ${report.differences} differences` +
    ` (${count.check} in check, ${count.checkmate} mates, ${count.stalemate} stalemates)`
  );
}

run({ variant, what: "positions", expected, compare, summary });
