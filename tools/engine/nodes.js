// Nodes per second of an engine with the tables compiled in, using them and not. The seconds are the engine's own CPU
// time, since the machine may be shared.
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

// The CPU time of a process so far, in milliseconds; Linux counts it in hundredths of a second.
function cpuTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").pop().split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

// True if a man may stand there: a bia starts on its side's third rank and promotes on the sixth.
function isPlace(letter, black, square) {
  const rank = 8 - Math.floor(square / 8);
  return letter !== "P" || (black ? rank >= 4 && rank <= 6 : rank >= 3 && rank <= 5);
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
      while (squares[at] || !isPlace(letter, black, at));
      squares[at] = black ? letter.toLowerCase() : letter;
    }
    const rows = [];
    for (let row = 0; row < 8; row += 1) {
      const text = squares.slice(8 * row, 8 * row + 8).map((man) => man ?? ".").join("");
      rows.push(text.replace(/\.+/g, (dots) => String(dots.length)));
    }
    const fens = ["w", "b"].map((turn) => `${rows.join("/")} ${turn} - 0 1`);
    const boards = fens.map((fen) => new ffish.Board(VARIANT, fen));
    // Kings that touch count as check.
    const quiet = boards.every((board) => !board.isCheck() && board.legalMoves() !== "");
    for (const board of boards) board.delete();
    if (quiet) return fens[random(2)];
  }
}

// An engine with these options, and its nodes and time so far.
class Measured {
  constructor(settings, options) {
    this.sum = { nodes: 0, milliseconds: 0, hits: 0, depth: 0 };
    this.options = options;
    this.engine = new Engine("the engine", [settings.engine]);
    const hear = this.engine.hear.bind(this.engine);
    this.engine.hear = (line) => {
      if (line.startsWith("info depth") && line.includes(" nps ")) this.last = line;
      hear(line);
    };
  }

  start() {
    return this.engine.start({ UCI_Variant: VARIANT, Hash: 64, ...this.options });
  }

  async search(fen, nodes) {
    const { engine, sum } = this;
    const before = cpuTime(engine.process.pid);
    await engine.newGame();
    await engine.move(`position fen ${fen}`, `go nodes ${nodes}`);
    const number = (name) => Number(new RegExp(` ${name} (\\d+)`).exec(this.last)[1]);
    sum.nodes += number("nodes");
    sum.hits += number("tbhits");
    sum.depth += number("depth");
    sum.milliseconds += cpuTime(engine.process.pid) - before;
  }
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
  const ratios = [];
  for (let round = 0; round < settings.rounds; round += 1) {
    const both = [new Measured(settings, {}), new Measured(settings, probing)];
    for (const measured of both) await measured.start();
    // The engines take turns position by position, since the machine's speed may vary.
    for (const [i, fen] of positions.entries()) {
      for (const measured of i % 2 ? both : [...both].reverse()) await measured.search(fen, settings.nodes);
    }
    const rates = both.map(({ engine, sum }, i) => {
      const rate = sum.nodes / sum.milliseconds;
      console.log(
        `${i ? "with   " : "without"} the tables: ${rate.toFixed(0)} thousand nodes a second, ${sum.hits} answers,` +
          ` mean depth ${(sum.depth / positions.length).toFixed(1)}`,
      );
      engine.quit();
      return rate;
    });
    ratios.push(rates[1] / rates[0]);
  }
  console.log(`with to without, round by round: ${ratios.map((ratio) => ratio.toFixed(3)).join(", ")}`);
}

ffish.onRuntimeInitialized = () =>
  main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
