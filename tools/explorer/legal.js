// Checks with Fairy-Stockfish that the game played on the page is legal, move by move.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const ffish = require("ffish");

const VARIANTS = { makruk: "makruk", asean: "asean", ouk: "cambodian" };

/** Runs a test when Fairy-Stockfish is loaded, and ends the process with its result. */
function run(main) {
  ffish.onRuntimeInitialized = () => main().then(() => process.exit(0), (error) => {
    console.error(error);
    process.exit(1);
  });
}

/** A FEN of the page, which uses makruk's letters, in the letters of the rule set. */
function inLetters(text, rules) {
  if (rules !== "asean") return text;
  const [board, ...rest] = text.split(" ");
  return [board.replace(/[SsMm]/g, (letter) => ({ S: "B", s: "b", M: "Q", m: "q" })[letter]), ...rest].join(" ");
}

const placed = (text) => text.split(" ").slice(0, 2).join(" ").replaceAll("~", "");

/** Fails if a move of a game is not legal. Returns the number of moves. */
function replay({ start, moves, rules = "makruk" }) {
  if (moves.length === 0) return 0;
  const board = new ffish.Board(VARIANTS[rules], inLetters(start, rules));
  for (const [i, { uci, fen }] of moves.entries()) {
    assert.ok(board.legalMoves().split(" ").includes(uci), `${rules} ${start}: move ${i + 1}, ${uci}, of ${moves.map((move) => move.uci).join(" ")}`);
    board.push(uci);
    assert.equal(placed(board.fen()), placed(inLetters(fen, rules)));
  }
  board.delete();
  return moves.length;
}

/** Has the page save its game; Fairy-Stockfish must read the same moves from it. Returns their number. */
async function saved(page) {
  const game = await page.evaluate(() => history.state);
  if (!game?.moves.length) return 0;
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-do=pgn]").click()]);
  const read = ffish.readGamePGN(fs.readFileSync(await download.path(), "utf8"));
  assert.equal(read.mainlineMoves().trim(), game.moves.map((move) => move.uci).join(" "), "the game as it is saved");
  return replay(game);
}

module.exports = { replay, run, saved };
