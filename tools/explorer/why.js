// The line after a move that does not win is replayed by Fairy-Stockfish, with the count: every move is legal, every
// FEN is the same, and the game ends as the line says. Positions are random ones of every ending under each rule set, with
// and without a count that has run for a while.
//
//   node why.js ADDRESS MOVES
"use strict";
const assert = require("node:assert/strict");
const ffish = require("ffish");
const { run } = require("./legal.js");
const { get } = require("./proxy.js");
const { RULES, below, one } = require("./random.js");

const [address, wanted] = process.argv.slice(2);
const VARIANTS = { makruk: "makruk", asean: "asean", ouk: "cambodian" };

async function ask(path, parameters) {
  const query = new URLSearchParams(parameters);
  const { status, bytes } = await get(new URL(`v1/${path}?${query}`, address));
  return { status, answer: JSON.parse(bytes.toString()) };
}

/** The men, the side to move and, if a count runs, the count of a FEN. */
function compared(fen) {
  const [men, turn, , limit, counted] = fen.replaceAll("~", "").split(" ");
  return [men, turn, ...(limit === "-" || limit === "0" ? [] : [limit, counted])].join(" ");
}

/** True if Fairy-Stockfish has the men for a draw: also some with which mate cannot be forced from everywhere. */
const insufficient = (board) => board.hasInsufficientMaterial(true) && board.hasInsufficientMaterial(false);

/** Fails unless Fairy-Stockfish plays the line to the same end. */
function replay({ fen, rules, move, moves, end, result, follows }, tally) {
  const where = `${rules} ${fen} ${move.uci} ${moves.map(({ uci }) => uci).join(" ")}`;
  const before = new ffish.Board(VARIANTS[rules], fen);
  assert.ok(before.legalMoves().split(" ").includes(move.uci), where);
  before.delete();
  // The count of a fresh position begins with the FEN after the move.
  const board = new ffish.Board(VARIANTS[rules], move.fen);
  for (const [i, step] of moves.entries()) {
    if (!insufficient(board)) assert.equal(board.result(true), "*", `${where}: over before move ${i + 1}`);
    assert.ok(board.legalMoves().split(" ").includes(step.uci), `${where}: move ${i + 1}`);
    board.push(step.uci);
    // ASEAN's clock goes on where the line has no count.
    assert.equal(compared(step.fen).split(" ").slice(0, 2).join(" "), compared(board.fen()).split(" ").slice(0, 2).join(" "), where);
    if (rules !== "asean") assert.equal(compared(step.fen), compared(board.fen()), `${where}: after move ${i + 1}`);
  }
  const legal = board.legalMoves().split(" ").filter(Boolean).length;
  if (end === "checkmate") assert.ok(legal === 0 && board.isCheck() && (insufficient(board) || board.result(true) === result), `${where}: no mate`);
  else if (end === "stalemate") assert.ok(legal === 0 && !board.isCheck(), `${where}: no stalemate`);
  else if (end === "count") {
    // With the bare king to move the winner has no move left, and the king's move draws.
    if (board.result(true) === "*") board.push(board.legalMoves().split(" ")[0]);
    assert.equal(board.result(true), "1/2-1/2", `${where}: not drawn`);
  }
  // Otherwise the tables alone know that nobody can mate: the men that are left may suffice.
  else if (follows === "man-falls" && !board.fen().split(" ")[0].replace(/[^A-Za-z]/g, "").replace(/k/gi, "")) assert.ok(insufficient(board), where);
  board.delete();
  const key = `${rules} ${follows}`;
  tally.set(key, (tally.get(key) ?? 0) + 1);
}

async function main() {
  const { answer } = await ask("endings", {});
  const endings = answer.endings.map(({ material }) => material);
  const tally = new Map();
  let checked = 0;
  for (let seed = 0; checked < Number(wanted); seed += 1) {
    const rules = one(RULES);
    // Every second question under makruk has a bia.
    const ending = one(rules === "makruk" && below(2) ? endings.filter((name) => name.includes("P")) : endings);
    const { status, answer: found } = await ask("random", { ending, rules, seed, turn: one(["w", "b"]) });
    if (status !== 200) continue;
    const probe = (await ask("probe", { fen: found.fen, rules })).answer;
    const losing = probe.moves.filter(({ category, checkmate }) => !checkmate && category !== "win");
    // One move of each category.
    for (const category of new Set(losing.map((move) => move.category))) {
      const of = losing.filter((move) => move.category === category);
      const why = await ask("why", { fen: found.fen, rules, move: of[below(of.length)].uci });
      assert.equal(why.status, 200, JSON.stringify(why.answer));
      replay(why.answer, tally);
      checked += 1;
    }
  }
  if (checked >= 500) {
    const kinds = { makruk: ["mate", "count", "count-late", "bia-falls", "man-falls", "no-mate"], ouk: ["mate", "count", "man-falls", "no-mate"], asean: ["mate", "man-falls", "no-mate"] };
    for (const [rules, all] of Object.entries(kinds)) for (const follows of all) assert.ok(tally.has(`${rules} ${follows}`), `${rules} ${follows}: ${[...tally]}`);
  }
  console.log(`why: ${checked} lines end as they say, by Fairy-Stockfish: ${[...tally].sort().map(([key, times]) => `${key} ${times}`).join(", ")}`);
}

run(main);
