// Reads lines of best play from standard input, as perfect_play.rs and tight_games.rs print them, plays them in
// Fairy-Stockfish, and reports differences.
"use strict";

const ffish = require("ffish");
const readline = require("readline");

const { plain } = require("./report.js");
const { VARIANTS } = require("../variants.js");

const KINDS = {
  win: { end: "checkmate", words: "wins mated in time" },
  "count-draw": { end: "count", words: "count draws held" },
  "two-sided-win": { end: "checkmate", words: "two-sided wins" },
  "clock-win": { end: "checkmate", words: "wins with a clock mated in time" },
  "clock-draw": { end: "count", words: "draws by the clock held" },
  "tight-win": { end: "checkmate", words: "wins with the last move that the count leaves" },
  "tight-draw": { end: "count", words: "held where the count leaves a move too few" },
  "bia-win": { end: "checkmate", words: "won from positions with bia" },
  "bia-draw": { end: "count", words: "held by the count from positions with bia" },
  "bia-tight-win": { end: "checkmate", words: "won with bia and a board's honor that leaves no move more" },
  "bia-tight-draw": { end: "count", words: "held with bia and a board's honor that leaves a move too few" },
};
const SHOWN = 10;

// The state of the game in Fairy-Stockfish; mate takes precedence over a draw that could be claimed.
function standing(board) {
  const stuck = board.numberLegalMoves() === 0;
  if (stuck) return board.isCheck() ? "checkmate" : "stalemate";
  if (!board.isGameOver(true)) return "on";
  return board.isGameOver() ? "over" : "count";
}

// The result of a state, if every draw that can be claimed is claimed.
function result(standing, winner) {
  if (standing === "on") return "*";
  if (standing !== "checkmate") return "1/2-1/2";
  return winner === "w" ? "1-0" : "0-1";
}

// The first difference in a line of play, in words; null if there is none.
function difference(board, line) {
  const { end } = KINDS[line.kind];
  if (line.end !== end) return `our line ends with ${line.end}, not ${end}`;
  board.setFen(line.fen);
  if (board.fen() !== line.fen) return `the position is ${board.fen()} there`;
  let mine = 0;
  // The difference from the expected state after a number of plies, if any.
  const unlike = (ply, expected) => {
    const now = standing(board);
    if (now !== expected) return `after ${ply} plies ${expected} here, ${now} there`;
    const [here, there] = [result(now, line.winner), board.result(true)];
    return here === there ? null : `after ${ply} plies (${now}) ${here} here, ${there} there`;
  };
  for (const [ply, [move, fen]] of line.moves.entries()) {
    const wrong = unlike(ply, "on");
    if (wrong) return wrong;
    if (!board.legalMoves().split(" ").includes(move)) return `${move} is illegal there`;
    mine += board.turn() === (line.winner === "w") ? 1 : 0;
    board.push(move);
    const same = line.kind.startsWith("bia") ? plain(board.fen()) === plain(fen) : board.fen() === fen;
    if (!same) return `after ${ply + 1} plies ${fen} here, ${board.fen()} there`;
  }
  const wrong = end === "count" ? overdue(board, unlike) : unlike(line.moves.length, end);
  if (wrong) return wrong;
  if (line.kind === "win" && mine !== line.dtm) return `mate in ${line.dtm} came in ${mine}`;
  if (line.kind === "win" && mine > line.available) return `mate in ${mine} of ${line.available}`;
  if (line.kind === "count-draw" && mine !== line.available) {
    return `the count left ${line.available} moves, but ${mine} were made`;
  }
  return null;
}

// The first difference where a line ends by the count, with the counting side to move. The game is drawn by the
// fifty-move rule, or by a counter beyond its limit. When the counter is at the limit, Fairy-Stockfish counts one more
// move, whichever it is, before it reports that the draw can be claimed; the other side has had the same number of
// moves in both cases. In ouk a bare king that then takes the last bia begins another count and gives the draw away, so
// it plays another move.
function overdue(board, unlike) {
  const [, , , limit, counted] = board.fen().split(" ");
  if (limit === "-" || Number(counted) > Number(limit)) return unlike("all", "count");
  const replies = board.legalMoves().split(" ");
  const goesOn = (reply) => {
    board.push(reply);
    const same = board.fen().split(" ")[3] === limit;
    board.pop();
    return same;
  };
  const late = (reply) => {
    board.push(reply);
    const wrong = unlike(`all and ${reply}`, board.isInsufficientMaterial() ? "over" : "count");
    board.pop();
    return wrong;
  };
  const going = replies.filter(goesOn);
  if (going.length === 0) return "every reply begins another count";
  return unlike("all", "on") ?? going.map(late).find(Boolean) ?? null;
}

async function playOut() {
  const counts = new Map();
  const boards = {};
  for await (const text of readline.createInterface({ input: process.stdin })) {
    const line = JSON.parse(text);
    if (!counts.has(line.rules)) {
      counts.set(line.rules, { differences: 0, held: {}, plies: 0 });
      boards[line.rules] = new ffish.Board(VARIANTS[line.rules]);
    }
    const count = counts.get(line.rules);
    const wrong = difference(boards[line.rules], line);
    count.plies += line.moves.length;
    count.held[line.kind] = (count.held[line.kind] ?? 0) + (wrong ? 0 : 1);
    if (wrong) {
      count.differences += 1;
      if (count.differences <= SHOWN) {
        console.error(`${line.rules}: ${line.kind}: ${line.fen}: ${wrong}`);
        console.error(`  ${line.moves.map(([move]) => move).join(" ")}`);
      }
    }
  }
  for (const board of Object.values(boards)) board.delete();
  let differences = 0;
  for (const [rules, count] of counts) {
    differences += count.differences;
    const held = Object.entries(KINDS)
      .filter(([kind]) => kind in count.held)
      .map(([kind, { words }]) => `${count.held[kind]} ${words}`);
    console.log(
      `${rules}: ${held.join(", ")}, ${count.differences} differences (${count.plies} plies)`,
    );
  }
  process.exitCode = counts.size > 0 && differences === 0 ? 0 : 1;
}

ffish.onRuntimeInitialized = playOut;
