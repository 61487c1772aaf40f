// Games from the first move under each rule set, played on the page: before every move its board has the legal moves
// that Fairy-Stockfish has, its FEN is that of Fairy-Stockfish, and a move that enters the tables has the value of the
// position after it. Each game goes on until a table has the position. Positions of 32, of 16 and of 7 men are set up.
//
//   node beyond.js BROWSER WORK ADDRESS GAMES
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const ffish = require("ffish");
const { open, quiet } = require("./browse.js");
const { run } = require("./legal.js");
const { get } = require("./proxy.js");
const { below, seed } = require("./random.js");

const [browserPath, work, address, games] = process.argv.slice(2);
const VARIANTS = { makruk: "makruk", asean: "asean", ouk: "cambodian" };
const BETTER = { win: "loss", "cursed-win": "blessed-loss", draw: "draw", "blessed-loss": "cursed-win", loss: "win" };
/** The most plies of a game. */
const LONGEST = 600;

const men = (fen) => fen.split(" ")[0].replace(/[^A-Za-z]/g, "").length;
/** The FEN without the marks of promoted bia, which the page does not keep. */
const plain = (fen) => fen.replaceAll("~", "");
const field = (page) => page.locator("#fen").inputValue();

/** A move that captures if one can, so that the game comes to the tables. */
function chosen(board, legal) {
  const captures = legal.filter((uci) => board.sanMove(uci).includes("x"));
  const promotions = legal.filter((uci) => uci.length > 4);
  const from = captures.length && below(10) < 9 ? captures : promotions.length && below(2) ? promotions : legal;
  return from[below(from.length)];
}

/** The moves that the page offers, with their verdicts. */
const offered = (page) => page.locator("#moves tbody tr").evaluateAll((rows) => rows.filter((row) => row.dataset.uci).map((row) => [row.dataset.uci, row.dataset.worth ?? null]));

async function play(page, rules, counts) {
  await page.goto(`${address}?rules=${rules}&mode=setup`);
  await quiet(page);
  await page.locator("[data-do=begin]").click();
  await quiet(page);
  await page.locator("#tools [data-do=setUp]").click();
  await quiet(page);
  const board = new ffish.Board(VARIANTS[rules]);
  for (let ply = 0; ply < LONGEST; ply += 1) {
    const fen = plain(board.fen());
    assert.equal(await field(page), fen, `${rules}: ply ${ply}`);
    const legal = board.legalMoves().split(" ").filter(Boolean);
    const moves = await offered(page);
    assert.deepEqual(moves.map(([uci]) => uci).sort(), [...legal].sort(), `${rules} ${fen}`);
    if (await page.evaluate(() => document.querySelector("#sets [aria-pressed=true]").dataset.worth)) return ply;
    const entering = moves.filter(([, worth]) => worth);
    for (const [uci, worth] of entering.slice(0, 3)) {
      const next = new ffish.Board(VARIANTS[rules], board.fen());
      next.push(uci);
      const { bytes } = await get(new URL(`v1/probe?rules=${rules}&fen=${plain(next.fen()).replaceAll(" ", "_")}`, address));
      const { category } = JSON.parse(bytes.toString());
      const kind = { "cursed-win": "count", "blessed-loss": "count" }[BETTER[category]] ?? BETTER[category];
      assert.equal(worth, kind, `${rules} ${fen}: ${uci}`);
      next.delete();
      counts.entering += 1;
    }
    if (!legal.length) return ply;
    // The same position is set up from its FEN.
    if ([16, 7].includes(men(fen)) && !counts.setUp.has(`${rules} ${men(fen)}`)) {
      counts.setUp.add(`${rules} ${men(fen)}`);
      await page.goto(`${address}?rules=${rules}&fen=${fen.replaceAll(" ", "_")}`);
      await quiet(page);
      assert.equal(await field(page), fen);
    }
    const uci = chosen(board, legal);
    for (const square of [uci.slice(0, 2), uci.slice(2, 4)]) await page.locator(`[role=gridcell][data-square=${square}]`).click();
    if (uci.length > 4 && rules === "asean") await page.locator(`[data-become=${uci}]`).click();
    await quiet(page);
    board.push(uci);
    counts.moves += 1;
  }
  return LONGEST;
}

async function main() {
  const { context, page, faults } = await open(browserPath, path.join(work, "beyond"));
  const counts = { moves: 0, entering: 0, setUp: new Set() };
  const lengths = [];
  for (let game = 0; game < Number(games); game += 1) {
    seed(game);
    lengths.push(await play(page, Object.keys(VARIANTS)[game % 3], counts));
  }
  assert.deepEqual(faults, []);
  await context.close();
  console.log(`beyond: ${games} games from the first move into the tables, ${counts.moves} moves (${Math.min(...lengths)} to ${Math.max(...lengths)} a game), ${counts.entering} values of moves that enter the tables, ${counts.setUp.size} positions of 16 and 7 men set up`);
}

run(main);
