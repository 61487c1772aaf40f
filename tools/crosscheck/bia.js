// Reads positions with bia from standard input, as bia_positions.rs prints them, and plays every move in
// Fairy-Stockfish. Reports differences in the moves and in the counts that begin with them, and values that are not the
// best of those after Fairy-Stockfish's moves.
"use strict";

const ffish = require("ffish");
const readline = require("readline");

const { plain } = require("./report.js");

const SHOWN = 10;

// The distance before a move into a position: one more for the winner's move, the same for the loser's.
function before(distance) {
  if (!distance) return null;
  const [outcome, moves] = distance;
  return outcome === "loss" ? ["win", moves + 1] : ["loss", moves];
}

// A greater rank is better.
function rank(distance) {
  if (!distance) return 0;
  const [outcome, moves] = distance;
  return outcome === "win" ? 1e6 - moves : moves - 1e6;
}

function best(distances, stuck) {
  if (distances.length === 0) return stuck;
  return distances.reduce((a, b) => (rank(b) > rank(a) ? b : a));
}

// The distance to honor after a move, where a new count has judged a position without bia.
function honor(move) {
  if (!move.begins) return move.dth;
  return move.category === "win" || move.category === "loss" ? [move.category, 0] : null;
}

// The categories from worst to best for the side to move.
const CATEGORIES = ["loss", "blessed-loss", "draw", "cursed-win", "win"];

// The category of the best move.
function category(moves, stuck) {
  const after = moves.map((move) => 4 - CATEGORIES.indexOf(move.category));
  return moves.length === 0 ? (stuck ? "loss" : "draw") : CATEGORIES[Math.max(...after)];
}

function differences(board, ours) {
  board.setFen(ours.fen);
  if (plain(board.fen()) !== plain(ours.fen)) return [`the position is ${board.fen()} there`];
  const found = [];
  const same = (what, here, there) => {
    if (JSON.stringify(here) !== JSON.stringify(there)) {
      found.push(`${what}: ${JSON.stringify(here)} here, ${JSON.stringify(there)} there`);
    }
  };
  const theirs = board.legalMoves().split(" ").filter(Boolean).sort();
  same("moves", ours.moves.map((move) => move.uci).sort(), theirs);
  for (const move of ours.moves.filter(({ uci }) => theirs.includes(uci))) {
    same(move.uci, move.san, board.sanMove(move.uci));
    board.push(move.uci);
    same(`after ${move.uci}`, plain(move.fen), plain(board.fen()));
    board.pop();
  }
  const stuck = board.isCheck() ? ["loss", 0] : null;
  const dtm = best(ours.moves.map((move) => before(move.dtm)), stuck);
  const dth = best(ours.moves.map((move) => before(honor(move))), stuck);
  same("distance to mate", ours.dtm, dtm);
  same("distance to honor", ours.dth, dth);
  same("category", ours.category, category(ours.moves, stuck));
  return found;
}

const VARIANTS = { makruk: "makruk", ouk: "cambodian" };

async function run() {
  const boards = {};
  const sums = {};
  for await (const text of readline.createInterface({ input: process.stdin })) {
    const ours = JSON.parse(text);
    const board = (boards[ours.rules] ??= new ffish.Board(VARIANTS[ours.rules]));
    const sum = (sums[ours.rules] ??= { positions: 0, moves: 0, counts: 0, wrong: 0 });
    sum.positions += 1;
    sum.moves += ours.moves.length;
    sum.counts += ours.moves.filter((move) => move.begins && move.fen.split(" ")[3] !== "-").length;
    const found = differences(board, ours);
    if (found.length > 0) sum.wrong += 1;
    if (found.length > 0 && sum.wrong <= SHOWN) console.error(`${ours.rules}: ${ours.fen}: ${found.join("; ")}`);
  }
  for (const board of Object.values(boards)) board.delete();
  for (const [rules, { positions, moves, counts, wrong }] of Object.entries(sums)) {
    console.log(
      `${rules}: ${positions} positions with bia, ${moves} moves, ${counts} of which begin a count: ${wrong} differences`,
    );
    if (wrong > 0) process.exitCode = 1;
  }
  if (Object.keys(sums).length < 2) process.exitCode = 1;
}

ffish.onRuntimeInitialized = run;
