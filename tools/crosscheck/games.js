// Reads games from standard input, as random_games.rs prints them, and reports where Fairy-Stockfish plays or counts
// differently.
"use strict";

const { run } = require("./report.js");

const [variant, expected] = process.argv.slice(2);
const count = { plies: 0, mates: 0, stalemates: 0, counting: 0, overdue: 0, unasked: 0, promotions: 0 };

function compare(board, game, report) {
  board.setFen(game.fen);
  const seen = new Map();
  for (const ply of game.plies) {
    const { fen } = ply;
    if (ply.move !== null) {
      // Fairy-Stockfish writes a first leap of ouk as if no other met could go there; compare both in that form.
      const written = board.sanMove(ply.move);
      const like = board.legalMovesSan().split(" ").filter((san) => san === written);
      if (like.length === 1) report.compare(fen, `the move ${ply.move}`, ply.san, written);
      else if (like.length === 0) report.compare(fen, `the move ${ply.move}`, "legal", "illegal");
      if (ply.move.length === 5) count.promotions += 1;
      board.push(ply.move);
    }
    count.plies += 1;
    report.compare(fen, "FEN", fen, board.fen());
    report.compare(fen, "FEN with promoted men", ply.promoted, board.fen(true));
    const legal = board.legalMoves().split(" ").filter(Boolean).sort();
    report.compare(fen, "legal moves", ply.legal, legal);
    report.compare(fen, "check", ply.check, board.isCheck());
    const [men, turn, , limit] = fen.split(" ");
    count.counting += limit === "-" ? 0 : 1;
    if (ply.irreversible) seen.clear();
    const key = `${men} ${turn}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    if (legal.length === 0) {
      count[ply.check ? "mates" : "stalemates"] += 1;
      const lost = turn === "w" ? "0-1" : "1-0";
      report.compare(fen, "result", ply.check ? lost : "1/2-1/2", board.result(true));
    } else if (board.isInsufficientMaterial() || seen.get(key) >= 3) {
      // Fairy-Stockfish ends the game for this reason, whatever the count.
      count.unasked += 1;
    } else {
      count.overdue += ply.over ? 1 : 0;
      report.compare(fen, "draw to be claimed", ply.over, board.isGameOver(true));
      report.compare(fen, "result", ply.over ? "1/2-1/2" : "*", board.result(true));
    }
  }
}

function summary(report) {
  return (
    `${count.plies} plies, ${report.differences} differences (${count.promotions} promotions,` +
    ` ${count.counting} plies of a count, ${count.overdue} after its end, ${count.mates} mates,` +
    ` ${count.stalemates} stalemates, ${count.unasked} not asked for a draw)`
  );
}

run({ variant, what: "games", expected, compare, summary });
