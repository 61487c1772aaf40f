// Compares the scores of an engine with the tables compiled in with those of the command line, under each rule set. Asks
// about chess too, which is in no table.
"use strict";

const { execFileSync } = require("child_process");

const { Engine } = require("../match/uci.js");
const { parse } = require("../settings.js");
const { VARIANTS } = require("../variants.js");

const defaults = { engine: "stockfish", sakmak: "sakmak", tables: "tables", positions: 12, seed: 1 };
// An ending with a bare king: its distances are mates that the score can show.
const ENDING = "KSMvK";
// A lost position of chess, where no count runs.
const CHESS = "8/8/8/8/8/2k5/8/K6R b - - 32 40";
const LOST = -500;
// An ASEAN count without the clock of the fifty-move rule, which the engine by itself takes to be 0.
const COUNTED = { rules: "asean", fen: "7k/8/6K1/8/5N2/8/1Q6/8 b - 128 90 60" };

function ask(settings, args) {
  const { sakmak, tables } = settings;
  return execFileSync(sakmak, [...args, "--tables", tables], { maxBuffer: 1 << 26 }).toString();
}

// The score for the side to move that an answer implies.
function expected({ category, dtm }) {
  if (category === "win") return `mate ${dtm}`;
  if (category === "loss") return `mate -${dtm}`;
  return { "cursed-win": "cp 1", draw: "cp 0", "blessed-loss": "cp -1" }[category];
}

// A board of makruk in the letters of a rule set.
function inLettersOf(rules, fen) {
  if (rules !== "asean") return fen;
  const [board, ...rest] = fen.split(" ");
  const letters = { S: "B", s: "b", M: "Q", m: "q" };
  return [board.replace(/[SsMm]/g, (letter) => letters[letter]), ...rest].join(" ");
}

async function main() {
  const settings = parse(process.argv.slice(2), defaults);
  const engine = new Engine("the engine", [settings.engine]);
  let score = "";
  const hear = engine.hear.bind(engine);
  engine.hear = (line) => {
    score = / score (cp -?\d+|mate -?\d+)/.exec(line)?.[1] ?? score;
    hear(line);
  };
  const probe = (rules, fen) => JSON.parse(ask(settings, ["probe", "--json", "--rules", rules, fen]));
  await engine.start({ SakmakPath: settings.tables });
  const found = engine.strings.some((line) => /found tables of \d+ endings/.test(line));
  if (!found) throw new Error("the engine does not say what tables it has found");
  const fens = [];
  // A win just inside one count, or just outside it, has the opposite result under another.
  for (const rules of ["makruk", "ouk"]) {
    for (const margin of [0, -1]) {
      const args = ["find", ENDING, "--rules", rules, `--margin=${margin}`, "--seed", settings.seed];
      const lines = ask(settings, [...args, "--limit", Math.ceil(settings.positions / 4)]);
      fens.push(...lines.trim().split("\n"));
    }
  }
  let wrong = 0;
  const differing = new Set();
  const compare = (what, got, want) => {
    if (got === want) return;
    wrong += 1;
    console.error(`${what}: the engine says ${got}, the tables ${want}`);
  };
  const scoreOf = async (variant, fen) => {
    engine.say(`setoption name UCI_Variant value ${variant}`);
    await engine.newGame();
    score = "";
    await engine.move(`position fen ${fen}`, "go depth 6");
    return score;
  };
  for (const fen of fens) {
    const answers = new Set();
    for (const [rules, variant] of Object.entries(VARIANTS)) {
      const asked = inLettersOf(rules, fen);
      const want = expected(probe(rules, asked));
      answers.add(want);
      compare(`${variant}, ${asked}`, await scoreOf(variant, asked), want);
    }
    if (answers.size > 1) differing.add(fen);
  }
  const want = expected(probe(COUNTED.rules, COUNTED.fen));
  if (want !== "cp -1") throw new Error(`${COUNTED.fen} is ${want} in the tables`);
  compare(`asean, ${COUNTED.fen}`, await scoreOf("asean", COUNTED.fen), want);
  // With nothing counted, a count draw is a mate.
  const cursed = fens.find((fen) => probe("makruk", fen).category === "cursed-win");
  if (!cursed) throw new Error("no position is a cursed win");
  engine.say("setoption name SakmakCount value false");
  const { dtm } = probe("makruk", cursed);
  compare(`without the count, ${cursed}`, await scoreOf("makruk", cursed), `mate ${dtm}`);
  engine.say("setoption name SakmakCount value true");
  const chess = await scoreOf("chess", CHESS);
  const lost = chess.startsWith("mate -") || Number(chess.replace("cp ", "")) < LOST;
  if (differing.size === 0) throw new Error("no position tells the rule sets apart");
  if (!lost) {
    wrong += 1;
    console.error(`chess, ${CHESS}: the engine says ${chess}, and it is lost`);
  }
  console.log(
    `${fens.length} positions in ${Object.keys(VARIANTS).length} rule sets, ${differing.size} of them worth different` +
      ` things, and one of chess: ${wrong} wrong`,
  );
  engine.quit();
  process.exitCode = wrong === 0 ? 0 : 1;
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
