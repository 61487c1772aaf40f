// The questions of the course, by Fairy-Stockfish: the moves of a question are played there, and its counters tell the
// number said, the limit, and whether a count runs.
//
//   node course.js ADDRESS QUESTIONS
"use strict";
const assert = require("node:assert/strict");
const ffish = require("ffish");
const { run } = require("./legal.js");
const { get } = require("./proxy.js");

const [address, wanted] = process.argv.slice(2);
const VARIANTS = { makruk: "makruk", asean: "asean", ouk: "cambodian" };
const LESSONS = ["limit", "number", "left", "start", "capture", "board", "stop", "baring", "bia"];

/** The limit and the last number said in a FEN; null if no count runs. */
function count(fen) {
  const [, , , limit, counted] = fen.split(" ");
  return limit === "-" || limit === "0" ? null : { limit: Number(limit) / 2, said: Math.ceil(Number(counted) / 2), plies: Number(counted) };
}

/** Plays moves in Fairy-Stockfish; returns the FEN. */
function played(rules, fen, moves) {
  const board = new ffish.Board(VARIANTS[rules], fen);
  for (const uci of moves) board.push(uci);
  const end = board.fen();
  board.delete();
  return end;
}

/** The result after a move if nothing is counted. */
function resultWithoutCount(rules, fen, uci) {
  const fields = fen.split(" ");
  fields.splice(3, 2, "-", "0");
  const board = new ffish.Board(VARIANTS[rules], fields.join(" "));
  board.push(uci);
  const result = board.result(true);
  board.delete();
  return result;
}

/** A move of a man that takes nothing. */
function quiet(rules, fen) {
  const board = new ffish.Board(VARIANTS[rules], fen);
  const uci = board.legalMoves().split(" ").find((move) => !board.sanMove(move).includes("x"));
  board.delete();
  return uci;
}

/** The moves that White can still make before Fairy-Stockfish's counter draws the game, which it does beyond the limit. */
function movesLeft(rules, fen) {
  const [men, turn, leaps, limit, counted, full] = fen.split(" ");
  const drawn = (plies) => {
    const side = (plies - Number(counted)) % 2 === 0 ? turn : turn === "w" ? "b" : "w";
    const board = new ffish.Board(VARIANTS[rules], [men, side, leaps, limit, plies, full].join(" "));
    const is = board.result(true) === "1/2-1/2";
    board.delete();
    return is;
  };
  let plies = Number(counted);
  while (plies <= Number(limit)) plies += 1;
  assert.ok(rules === "asean" || !men.includes("k") || drawn(plies), `${rules} ${fen}: not drawn beyond the limit`);
  const first = turn === "w" ? 0 : 1;
  return Math.max(0, Math.ceil((plies - Number(counted) - first) / 2));
}

/** The answer by Fairy-Stockfish; undefined if it has none to give. */
function expected({ rules, fen, ask, move, needed }) {
  const after = move && played(rules, fen, [move.uci]);
  const next = (from) => {
    const uci = quiet(rules, from);
    return uci && count(played(rules, from, [uci]));
  };
  switch (ask) {
    case "first": case "next": return String(next(fen).said);
    case "left": return String(movesLeft(rules, fen));
    case "capture": return String(count(after).said);
    case "limitAfter": return String(count(after).limit);
    case "bared": return String(next(after).said);
    case "may": return needed <= movesLeft(rules, after) ? "yes" : "no";
    case "promoted": return count(after) ? String(next(after).said) : "nothing";
    // Fairy-Stockfish does not know that a side which mates while it counts only draws.
    case "mateStopped": return resultWithoutCount(rules, fen, move.uci) === "0-1" ? "win" : "draw";
    case "taken": return count(after) ? String(count(after).said) : "nothing";
    default: return undefined;
  }
}

async function main() {
  const tally = new Map();
  let asked = 0;
  for (let seed = 0; asked < Number(wanted); seed += 1) {
    for (const rules of Object.keys(VARIANTS)) {
      for (const lesson of LESSONS) {
        if (rules === "asean" && ["board", "stop"].includes(lesson)) continue;
        const { status, bytes } = await get(new URL(`v1/course?lesson=${lesson}&rules=${rules}&seed=${seed}`, address));
        const question = JSON.parse(bytes.toString());
        assert.equal(status, 200, bytes.toString());
        const right = question.options[question.right];
        const answer = expected(question);
        if (answer !== undefined) assert.equal(right, answer, bytes.toString());
        const key = answer === undefined ? "without a witness" : question.ask;
        tally.set(key, (tally.get(key) ?? 0) + 1);
        asked += 1;
      }
    }
  }
  console.log(`course: ${asked} questions answered as Fairy-Stockfish counts: ${[...tally].map(([key, times]) => `${key} ${times}`).join(", ")}`);
}

run(main);
