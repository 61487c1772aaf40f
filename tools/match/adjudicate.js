// Games that end by the scores which the engines give, as cutechess adjudicates them with
//   -resign movecount=3 score=1000 -draw movenumber=10 movecount=4 score=10
// from wins, draws and count draws of three rule sets, each with either side for the tables. A result that the
// tables know may not be lost. See `adjudicate` for the arguments.
"use strict";

const { execFileSync } = require("child_process");

const ffish = require("../crosscheck/node_modules/ffish");
const { Engine } = require("./uci.js");
const { play } = require("./play.js");
const { parse } = require("../settings.js");
const { VARIANTS } = require("../variants.js");

const defaults = {
  sakmak: "sakmak",
  tables: "tables",
  engine: "fairy-stockfish",
  endings: "KSMvK,KRvKN",
  games: 40,
  nodes: 2000,
  seed: 1,
};
const VERDICTS = ["win", "draw", "cursed-win", "blessed-loss"];
const RESIGN = { moves: 3, score: 1000 };
const DRAW = { after: 10, moves: 4, score: 10 };

// An arbiter that decides by the scores after each move.
function arbiter() {
  let plies = 0;
  let level = 0;
  const lost = { w: 0, b: 0 };
  return (turn, score) => {
    plies += 1;
    lost[turn] = score !== null && score <= -RESIGN.score ? lost[turn] + 1 : 0;
    level = score !== null && Math.abs(score) <= DRAW.score ? level + 1 : 0;
    if (lost[turn] >= RESIGN.moves) return turn === "w" ? "0-1" : "1-0";
    return plies >= 2 * DRAW.after && level >= 2 * DRAW.moves ? "1/2-1/2" : null;
  };
}

// Positions of an ending with this verdict for the side to move, with their counts written out.
function find(settings, ending, rules, verdict, number) {
  const { sakmak, tables, seed } = settings;
  const args = ["find", ending, "--tables", tables, "--rules", rules, "--verdict", verdict, "--turn", "any", "--count"];
  const options = { stdio: ["ignore", "pipe", "ignore"] };
  try {
    return execFileSync(sakmak, [...args, "--limit", number, "--seed", seed], options).toString().trim().split("\n");
  } catch {
    // There may be no such position.
    return [];
  }
}

function value(settings, fen, rules) {
  const args = ["probe", "--tables", settings.tables, "--rules", rules, "--json", fen];
  return JSON.parse(execFileSync(settings.sakmak, args).toString()).category;
}

async function main() {
  const settings = parse(process.argv.slice(2), defaults);
  const { sakmak, tables, engine, nodes } = settings;
  const tabled = new Engine("with the tables", [sakmak, "uci", "--tables", tables, "--engine", engine]);
  const plain = new Engine("without", [engine]);
  await tabled.start({});
  await plain.start({});
  const starts = [];
  const endings = settings.endings.split(",");
  const each = Math.ceil(settings.games / 2 / Object.keys(VARIANTS).length / VERDICTS.length / endings.length);
  for (const rules of Object.keys(VARIANTS)) {
    for (const verdict of VERDICTS) {
      for (const ending of endings) {
        for (const fen of find(settings, ending, rules, verdict, each)) starts.push({ rules, verdict, fen });
      }
    }
  }
  const tally = { games: 0, adjudicated: 0, better: 0, lost: 0 };
  for (const { rules, verdict, fen } of starts) {
    const variant = VARIANTS[rules];
    for (const player of [tabled, plain]) player.say(`setoption name UCI_Variant value ${variant}`);
    if (value(settings, fen, rules) !== verdict) throw new Error(`${fen} is no ${verdict} with its count`);
    for (const mine of ["w", "b"]) {
      const players = mine === "w" ? { w: tabled, b: plain } : { w: plain, b: tabled };
      const game = await play(players, fen, `go nodes ${nodes}`, { variant, adjudicate: arbiter() });
      if (game.illegal) throw new Error(game.illegal);
      const points = { "1-0": 1, "0-1": -1, "1/2-1/2": 0 }[game.result] * (mine === "w" ? 1 : -1);
      const worth = (verdict === "win" ? 1 : 0) * (fen.split(" ")[1] === mine ? 1 : -1);
      tally.games += 1;
      tally.adjudicated += game.adjudicated ? 1 : 0;
      tally.better += points > worth ? 1 : 0;
      if (points < worth) {
        tally.lost += 1;
        console.error(`${rules}, ${verdict}, ${fen}: ${game.result} with the tables ${mine}: ${game.moves.join(" ")}`);
      }
    }
  }
  const { games, adjudicated, better, lost } = tally;
  console.log(`${games} games, ${adjudicated} adjudicated: ${lost} worse than the tables have it, ${better} better`);
  for (const player of [tabled, plain]) player.quit();
  process.exitCode = lost === 0 && games > 0 ? 0 : 1;
}

ffish.onRuntimeInitialized = () =>
  main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
