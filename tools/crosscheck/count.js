// Reads games from standard input, from the moment a king is bare, as random_counts.rs prints them, and reports where
// Fairy-Stockfish's count differs.
"use strict";

const { run } = require("./report.js");

const [variant, expected] = process.argv.slice(2);
const count = { plies: 0, unasked: 0, draws: 0, mates: 0, lastMoves: 0 };

// True if a draw may be claimed; null if the game is over anyway, since ffish then does not say.
function claim(board) {
  return board.isGameOver() ? null : board.isGameOver(true);
}

function won(winner) {
  return winner === "w" ? "1-0" : "0-1";
}

// Plays a game to its end, and compares the counters and the claims of a draw at every ply.
function play(board, game, report) {
  const [start] = game.plies;
  if (game.before) {
    // Begin before the capture that bares the king, so that Fairy-Stockfish begins the count.
    board.setFen(game.before.fen);
    board.push(game.before.move);
  } else {
    board.setFen(start.fen);
  }
  for (const ply of game.plies) {
    if (ply.move !== null && !board.push(ply.move)) {
      report.compare(ply.fen, `the move ${ply.move}`, "legal", "illegal");
      return;
    }
    count.plies += 1;
    report.compare(ply.fen, "FEN", ply.fen, board.fen());
    if (ply.mate) {
      count.mates += 1;
      report.compare(ply.fen, "result", won(game.winner), board.result(true));
    } else if (ply.stalemate) {
      report.compare(ply.fen, "result", "1/2-1/2", board.result(true));
    } else if (board.isInsufficientMaterial()) {
      // Fairy-Stockfish ends the game for this reason, whatever the count.
      count.unasked += 1;
    } else {
      report.compare(ply.fen, "draw to be claimed", ply.draw, claim(board));
      if (ply.draw) {
        count.draws += 1;
        compareMovesLeft(game, report);
      }
    }
  }
}

// When Fairy-Stockfish first sees a draw, the moves that the stronger side has made since any earlier ply must equal
// the moves that remained then. A capture restarts the fifty-move rule.
function compareMovesLeft(game, report) {
  let made = 0;
  let captures = false;
  for (let i = game.plies.length - 1; i >= 0; i -= 1) {
    const ply = game.plies[i];
    const [, turn, , limit, counted] = ply.fen.split(" ");
    const next = game.plies[i + 1];
    made += next && turn === game.winner ? 1 : 0;
    captures ||= next !== undefined && men(next.fen) < men(ply.fen);
    const fifty = limit === "-" || Number(limit) > 100;
    if (ply.clock_ahead !== 0 || (variant === "asean" && fifty && captures)) {
      // The FEN does not hold the whole count (see random_counts.rs); it may be ahead by one move at most.
      const most = made + (ply.clock_ahead > 0 ? 1 : 0);
      report.compare(ply.fen, "at most as many moves left", true, ply.left <= most);
    } else {
      report.compare(ply.fen, "moves left", ply.left, made);
    }
  }
}

function men(fen) {
  return fen.split(" ")[0].replace(/[^a-z]/gi, "").length;
}

// A mate with the last move that the count leaves wins; one move later it is too late.
function playLastMove(board, { fen, late, mate, left }, winner, report) {
  count.lastMoves += 1;
  report.compare(fen, "moves left", left, 1);
  board.setFen(fen);
  report.compare(fen, "draw to be claimed", false, claim(board));
  board.push(mate);
  report.compare(fen, "result of the mate", won(winner), board.result(true));
  board.setFen(late);
  report.compare(late, "draw to be claimed", true, claim(board));
}

function compare(board, game, report) {
  play(board, game, report);
  if (game.last) {
    playLastMove(board, game.last, game.winner, report);
  }
}

function summary(report) {
  return (
    `${count.plies} plies, ${report.differences} differences` +
    ` (${count.draws} draws by the count, ${count.mates} mates, ${count.lastMoves} mates on the last` +
    ` move, ${count.unasked} plies without mating material)`
  );
}

run({ variant, what: "continuations", expected, compare, summary });
