// Nodes a second of an engine that has the tables compiled in, with and without them. A second is one
// of the engine's own CPU time, since others may be using the machine.
"use strict";

const { readFileSync } = require("fs");

const ffish = require("../crosscheck/node_modules/ffish");
const { Engine } = require("../match/uci.js");
const { parse } = require("../settings.js");

const defaults = {
  engine: "stockfish",
  tables: "tables",
  men: "KRNvKR,KRMvKN",
  positions: 14,
  nodes: 300000,
  depth: 5,
  count: 12,
  cache: 256,
  rounds: 3,
  seed: 1,
};
const VARIANT = "makruk";

// The CPU time of a process so far, in milliseconds: Linux counts it in hundredths of a second.
function cpuTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").pop().split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

// A random position with these men in which the side to move has a move and the other is not in check.
function randomPosition(men, random) {
  for (;;) {
    const squares = Array(64).fill(null);
    let black = false;
    for (const letter of men) {
      if (letter === "v") {
        black = true;
        continue;
      }
      let at;
      do at = random(64);
      while (squares[at]);
      squares[at] = black ? letter.toLowerCase() : letter;
    }
    const rows = [];
    for (let row = 0; row < 8; row += 1) {
      const text = squares.slice(8 * row, 8 * row + 8).map((man) => man ?? ".").join("");
      rows.push(text.replace(/\.+/g, (dots) => String(dots.length)));
    }
    const fens = ["w", "b"].map((turn) => `${rows.join("/")} ${turn} - 0 1`);
    const boards = fens.map((fen) => new ffish.Board(VARIANT, fen));
    // Kings that touch are in check.
    const quiet = boards.every((board) => !board.isCheck() && board.legalMoves() !== "");
    for (const board of boards) board.delete();
    if (quiet) return fens[random(2)];
  }
}

async function measure(settings, options, positions) {
  const engine = new Engine("the engine", [settings.engine]);
  let last = "";
  const hear = engine.hear.bind(engine);
  engine.hear = (line) => {
    if (line.startsWith("info depth") && line.includes(" nps ")) last = line;
    hear(line);
  };
  await engine.start({ UCI_Variant: VARIANT, Hash: 64, ...options });
  const sum = { nodes: 0, milliseconds: -cpuTime(engine.process.pid), hits: 0, depth: 0 };
  for (const fen of positions) {
    await engine.newGame();
    await engine.move(`position fen ${fen}`, `go nodes ${settings.nodes}`);
    const number = (name) => Number(new RegExp(` ${name} (\\d+)`).exec(last)[1]);
    sum.nodes += number("nodes");
    sum.hits += number("tbhits");
    sum.depth += number("depth") / positions.length;
  }
  sum.milliseconds += cpuTime(engine.process.pid);
  engine.quit();
  return sum;
}

async function main() {
  const settings = parse(process.argv.slice(2), defaults);
  let state = settings.seed;
  const random = (n) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % n;
  };
  const men = settings.men.split(",");
  const positions = Array.from({ length: settings.positions }, (_, i) => randomPosition(men[i % men.length], random));
  const probing = {
    SakmakPath: settings.tables,
    SakmakCache: settings.cache,
    SakmakProbeDepth: settings.depth,
    SakmakCountDepth: settings.count,
  };
  const rates = { without: [], with: [] };
  // In turn, since a machine may be slower at one time than at another.
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const [name, options] of [["without", {}], ["with", probing]]) {
      const { nodes, milliseconds, hits, depth } = await measure(settings, options, positions);
      const rate = nodes / milliseconds;
      rates[name].push(rate);
      console.log(
        `${name.padEnd(7)} the tables: ${rate.toFixed(0)} thousand nodes a second, ${hits} answers, mean depth ${depth.toFixed(1)}`,
      );
    }
  }
  const ratios = rates.with.map((rate, round) => rate / rates.without[round]).sort((a, b) => a - b);
  console.log(`with to without, median of ${ratios.length} rounds: ${ratios[Math.floor(ratios.length / 2)].toFixed(3)}`);
}

ffish.onRuntimeInitialized = () =>
  main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
