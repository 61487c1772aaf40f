// Measures how much of real play the tables cover. See `run` for the arguments.
"use strict";

const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");

const ffish = require("../crosscheck/node_modules/ffish");
const { parse } = require("../settings.js");
const { opening, play } = require("../match/play.js");
const { probe } = require("../match/positions.js");
const { Engine } = require("../match/uci.js");
const { VARIANTS } = require("../variants.js");

const defaults = {
  sakmak: "sakmak",
  tables: "tables",
  engine: "fairy-stockfish",
  rules: "makruk",
  games: 300,
  nodes: 1000,
  seed: 1,
};
const DATA = path.join(__dirname, "../../tests/data");
// The most men of today's tables, and of the next.
const SIZES = [5, 6];
const WON = { "1-0": "w", "0-1": "b", "1/2-1/2": null };

const menOf = (fen) => fen.split(" ")[0].replace(/[^a-z]/gi, "");
const hasBia = (fen) => /p/i.test(menOf(fen));
const turnOf = (fen) => fen.split(" ")[1];

async function engineGames({ engine, rules, games, nodes, seed }) {
  const variant = VARIANTS[rules];
  const player = new Engine("the engine", [engine]);
  await player.start({ UCI_Variant: variant });
  const found = [];
  for (let i = 0; i < games; i += 1) {
    // Random moves first, so that no two games are the same.
    const game = await play({ w: player, b: player }, opening(i + seed * 1000, variant), `go nodes ${nodes}`, { variant });
    // Versions of the engine differ in when a king of ouk may leap, so the game ends there without a result.
    if (game.illegal) console.error(`${game.illegal}, which ffish does not allow`);
    found.push({ result: game.result ?? "*", fens: [...game.fens.map(([, fen]) => fen), game.last] });
  }
  player.quit();
  return found;
}

// The complete games in tests/data, played by people. All are of makruk.
function peoplesGames({ rules }) {
  const node = process.version.startsWith("v18") ? ["--no-experimental-fetch"] : [];
  const script = path.join(__dirname, "../annotate/files.js");
  const lines = execFileSync(process.execPath, [...process.execArgv, ...node, script, "--uci"]).toString().trim().split("\n");
  const found = [];
  for (const line of lines) {
    const [name, variant, start, moves] = line.split(",");
    if (variant !== VARIANTS[rules] || start !== "" || !/playok\/|schemingmind/.test(name)) continue;
    const [, result] = /^\[Result "(.*)"\]$/m.exec(fs.readFileSync(path.join(DATA, name), "latin1").replace(/\r/g, "")) ?? [];
    const board = new ffish.Board(variant);
    const fens = [board.fen()];
    for (const move of moves.split(" ")) {
      board.push(move);
      fens.push(board.fen());
    }
    board.delete();
    found.push({ result, fens });
  }
  return found;
}

// The number of games with such a position.
const passing = (games, is) => games.filter(({ fens }) => fens.some(is)).length;

function share(number, games) {
  return `${number} of ${games.length} (${Math.round((100 * number) / games.length)} %)`;
}

function printShares(title, games) {
  console.log(`${title}: ${games.length}`);
  for (const most of SIZES) {
    const few = (fen) => menOf(fen).length <= most;
    const without = passing(games, (fen) => few(fen) && !hasBia(fen));
    const first = games.filter(({ fens }) => hasBia(fens.find(few) ?? "")).length;
    console.log(
      `  up to ${most} men: ${share(passing(games, few), games)} with bia, ${share(without, games)} without;` +
        ` ${first} have bia when they come there`,
    );
  }
}

// Compares the tables' result at the first known position of each kind in a game with the game's result.
function printEntries(title, games, answers, is) {
  const table = {};
  let entered = 0;
  let otherwise = 0;
  for (const { result, fens } of games) {
    const entry = fens.find((fen) => is(fen) && answers.get(fen)?.category);
    if (entry === undefined || WON[result] === undefined) continue;
    const { category } = answers.get(entry);
    const other = turnOf(entry) === "w" ? "b" : "w";
    const winner = { win: turnOf(entry), loss: other }[category] ?? null;
    const ended = WON[result] === null ? "drawn" : WON[result] === winner ? "won" : winner ? "lost" : "decided";
    const row = (table[winner ? "a win" : category === "draw" ? "a draw" : "a draw by the count"] ??= {});
    row[ended] = (row[ended] ?? 0) + 1;
    entered += 1;
    otherwise += WON[result] === winner ? 0 : 1;
  }
  console.log(`  ${title}: ${entered} come to a position of the tables, ${otherwise} end otherwise than they say there`);
  for (const [said, ends] of Object.entries(table)) {
    console.log(`    ${said}: ${Object.entries(ends).map(([end, number]) => `${number} ${end}`).join(", ")}`);
  }
}

async function main() {
  const settings = parse(process.argv.slice(2), defaults);
  if (!(settings.rules in VARIANTS)) throw new Error(`${settings.rules} is no rule set: pass ${Object.keys(VARIANTS).join(", ")}`);
  const all = [
    ["games of people", peoplesGames(settings)],
    [`games of the engine against itself, ${settings.nodes} nodes a move`, await engineGames(settings)],
  ];
  for (const [title, games] of all) {
    if (games.length === 0) continue;
    printShares(title, games);
    const few = games.flatMap(({ fens }) => fens.filter((fen) => menOf(fen).length <= SIZES[0]));
    const asked = [...new Set(few)];
    const found = asked.length ? probe(settings.sakmak, settings.tables, asked, settings.rules) : [];
    const answers = new Map(asked.map((fen, i) => [fen, found[i]]));
    printEntries("with bia", games, answers, () => true);
    printEntries("without", games, answers, (fen) => !hasBia(fen));
  }
}

ffish.onRuntimeInitialized = () =>
  main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
