// Checks the output of `sakmak annotate`. See `run` for the arguments.
"use strict";

const { execFileSync } = require("child_process");
const ffish = require("../crosscheck/node_modules/ffish");
const { Engine } = require("../match/uci.js");
const { place, probe, random } = require("../match/positions.js");
const { parse } = require("../settings.js");

const defaults = {
  sakmak: "sakmak",
  tables: "tables",
  engine: "fairy-stockfish",
  endings: "KSMvK,KNMvK,KRvK,KNSvK,KRvKN,KRvKS,KSvKM,KRvKM",
  games: 6,
  lines: 24,
  nodes: 300,
  seed: 1,
};
const RULES = [
  ["makruk", "makruk", "Makruk"],
  ["asean", "asean", "ASEAN"],
  ["ouk", "cambodian", "Cambodian"],
];
const MOST_PLIES = 600;
const SHOWN = 10;

let differences = 0;
function differs(where, what, ours, theirs) {
  const [a, b] = [ours, theirs].map((value) => JSON.stringify(value));
  if (a === b) return;
  differences += 1;
  if (differences <= SHOWN) console.error(`${where}: ${what}: ${a}, should be ${b}`);
}

// The program's output for these arguments, whatever its exit code.
function sakmak(settings, args, input) {
  const options = { input, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "pipe"] };
  try {
    return execFileSync(settings.sakmak, [...args, "--tables", settings.tables], options).toString();
  } catch (error) {
    if (error.stdout === undefined) throw error;
    // Exit code 1 is no fault: games may reach no table.
    if (error.status !== 1) console.error(error.stderr.toString().split("\n").slice(0, SHOWN).join("\n"));
    return error.stdout.toString();
  }
}

function annotate(settings, pgn, ...args) {
  const out = sakmak(settings, ["annotate", "--json", ...args, "-"], pgn);
  return out.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

// A game of an engine against itself, after a few random moves.
async function play(engine, variant, nodes, next) {
  const board = new ffish.Board(variant);
  const moves = [];
  const sans = [];
  const fens = [board.fen()];
  const push = (move) => {
    sans.push(board.sanMove(move));
    board.push(move);
    moves.push(move);
    fens.push(board.fen());
  };
  for (let i = 0; i < 6; i += 1) {
    const legal = board.legalMoves().split(" ");
    push(legal[Math.floor(next() * legal.length)]);
  }
  await engine.newGame();
  while (!board.isGameOver(true) && moves.length < MOST_PLIES) {
    const move = await engine.move(`position startpos moves ${moves.join(" ")}`, `go nodes ${nodes}`);
    // An older engine differs from ffish in the first leaps of ouk.
    const legal = board.legalMoves().split(" ");
    push(legal.includes(move) ? move : legal[Math.floor(next() * legal.length)]);
  }
  const result = board.isGameOver(true) ? board.result(true) : "*";
  board.delete();
  return { moves, sans, fens, result };
}

function pgnOf(game, variant) {
  const words = game.sans.map((san, i) => (i % 2 === 0 ? `${i / 2 + 1}. ${san}` : san));
  const tags = [["Event", "engines"], ["Result", game.result], ["Variant", variant]];
  return `${tags.map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${words.join(" ")} ${game.result}\n\n`;
}

function commands(pgn) {
  return [...pgn.replace(/\n/g, " ").matchAll(/\[%sakmak (for=[^\]]*)\]/g)].map(([, fields]) =>
    Object.fromEntries(fields.split(" ").map((field) => field.split("="))));
}

async function engineGames(settings) {
  const next = random(settings.seed);
  let plies = 0;
  let known = 0;
  let read = 0;
  let bare = 0;
  for (const [rules, variant, name] of RULES) {
    const engine = new Engine("the engine", [settings.engine]);
    await engine.start({ UCI_Variant: variant });
    const games = [];
    for (let i = 0; i < Math.ceil(settings.games / RULES.length); i += 1) {
      games.push(await play(engine, variant, settings.nodes, next));
    }
    engine.quit();
    const pgn = games.map((game) => pgnOf(game, name)).join("");
    const documents = annotate(settings, pgn);
    differs(rules, "games annotated", documents.length, games.length);
    const outputs = sakmak(settings, ["annotate", "-"], pgn).split(/\n(?=\[Event )/);
    differs(rules, "games printed", outputs.length, games.length);
    games.forEach((game, number) => {
      const document = documents[number];
      const where = `${rules}, game ${number + 1}`;
      differs(where, "error", document.error, null);
      differs(where, "positions", document.positions.length, game.fens.length);
      const asked = document.positions.filter((position) => position.known);
      const answers = asked.length ? probeUnder(settings, rules, asked.map((position) => position.fen)) : [];
      asked.forEach(({ fen, known: said }, i) => compareWithProbe(`${where}, ${fen}`, said, answers[i]));
      const both = asked.filter((position) => position.known.if_counted);
      const others = both.length ? probeUnder(settings, rules, both.map((position) => position.known.if_counted.fen)) : [];
      both.forEach(({ fen, known: said }, i) => {
        differs(`${where}, ${fen}`, "category if counted", said.if_counted.category, others[i].category);
      });
      // The count must be Fairy-Stockfish's where it is forced, and where it is assumed to run.
      document.positions.forEach((position, ply) => {
        const men = position.fen.split(" ")[0];
        const isBare = [/[A-JL-Z]/, /[a-jl-z]/].some((man) => !man.test(men));
        const here = isBare || !position.known ? position.fen : position.known.if_counted?.fen;
        if (here === undefined) return;
        bare += isBare && position.known ? 1 : 0;
        differs(`${where}, ply ${ply}`, "FEN", here, game.fens[ply]);
      });
      const board = ffish.readGamePGN(outputs[number]);
      differs(where, "moves that ffish reads", board.mainlineMoves().split(" ").filter(Boolean), game.moves);
      differs(where, "end of the moves", board.headers("Result"), game.result);
      board.delete();
      read += 1;
      const written = commands(outputs[number]);
      differs(where, "comments", written.length, asked.length);
      written.forEach((fields, i) => compareComment(`${where}, ${asked[i]?.fen}`, fields, asked[i]));
      plies += game.moves.length;
      known += asked.length;
    });
  }
  console.log(
    `${read} engine games of ${plies} plies read, ${known} positions in the tables,` +
      ` ${bare} of them with a bare king's count; ffish reads all that came out`,
  );
}

function probeUnder(settings, rules, fens) {
  const out = sakmak(settings, ["probe", "--json", "--rules", rules, "-"], `${fens.join("\n")}\n`);
  return out.trim().split("\n").map((line) => JSON.parse(line));
}

function compareWithProbe(where, said, answer) {
  for (const field of ["category", "dtm", "dth"]) differs(where, field, said[field], answer[field]);
  differs(where, "count", said.count, answer.count && withoutNote(answer.count));
}

function withoutNote({ note, ...count }) {
  return count;
}

function compareComment(where, fields, position) {
  if (!position) return;
  const { known } = position;
  const text = (value) => (value === null || value === undefined ? undefined : String(value));
  differs(where, "for", fields.for, known.for);
  differs(where, "category", fields.category, known.category ?? "unknown");
  differs(where, "dtm", fields.dtm, text(known.dtm));
  differs(where, "dth", fields.dth, text(known.dth));
  differs(where, "left", fields.left, text(known.count?.moves_available));
  differs(where, "counted-category", fields["counted-category"], known.if_counted ? known.if_counted.category ?? "unknown" : undefined);
}

// A PGN of moves with the numbers said after them.
function pgnOfMoves(fen, moves) {
  const words = moves.map(({ san, counted }) => (counted ? `${san} {${counted}}` : san));
  return `[Variant "Makruk"]\n[SetUp "1"]\n[FEN "${fen}"]\n\n${words.join(" ")} *\n\n`;
}

function result(category) {
  return { win: 1, loss: -1 }[category] ?? 0;
}

function linesAndMistakes(settings) {
  const next = random(settings.seed + 1);
  const endings = settings.endings.split(",");
  const fens = [];
  while (fens.length < settings.lines) {
    const placed = [];
    for (let i = 0; i < 4 * settings.lines; i += 1) {
      const position = place(next, endings[i % endings.length]);
      if (position) placed.push(`${position.board} ${position.turn} - - 0 1`);
    }
    const answers = probe(settings.sakmak, settings.tables, placed);
    fens.push(...placed.filter((_, i) => (answers[i].dtm ?? 0) > 2));
  }
  fens.length = settings.lines;
  const line = (fen) => JSON.parse(sakmak(settings, ["line", "--json", fen]));
  const pgns = fens.map((fen) => sakmak(settings, ["line", "--pgn", fen]));
  const clean = annotate(settings, pgns.join("\n"));
  differs("lines", "annotated", clean.length, fens.length);
  clean.forEach((document, i) => {
    differs(fens[i], "error in the line", document.error, null);
    differs(fens[i], "mistakes in the line", document.mistakes, []);
  });

  // A worse move at a random ply, then best play.
  const spoilt = [];
  fens.forEach((fen, i) => {
    const { positions } = clean[i];
    const { moves } = line(fen);
    const answers = probe(settings.sakmak, settings.tables, positions.map((position) => position.fen));
    const choices = [];
    answers.forEach((answer, ply) => {
      const best = answer.moves[0];
      for (const move of answer.moves) {
        if (result(move.category) < result(best.category)) choices.push([ply, move]);
      }
    });
    if (choices.length === 0) return;
    const plies = [...new Set(choices.map(([ply]) => ply))];
    const ply = plies[Math.floor(next() * plies.length)];
    const here = choices.filter(([at]) => at === ply);
    const [, worse] = here[Math.floor(next() * here.length)];
    spoilt.push({ fen, ply, moves: [...moves.slice(0, ply), { san: worse.san }] });
  });
  const after = annotate(settings, spoilt.map(({ fen, moves }) => pgnOfMoves(fen, moves)).join(""));
  const games = spoilt.map(({ fen, moves }, i) => {
    const end = after[i].positions.at(-1).fen;
    return pgnOfMoves(fen, [...moves, ...line(end).moves]);
  });
  const found = annotate(settings, games.join(""));
  differs("spoilt lines", "annotated", found.length, spoilt.length);
  found.forEach((document, i) => {
    const { fen, ply, moves } = spoilt[i];
    const where = `${fen}, ${moves.at(-1).san} at ply ${ply + 1}`;
    differs(where, "error", document.error, null);
    differs(where, "mistakes", document.mistakes, [ply + 1]);
  });
  console.log(
    `${clean.length} lines without a mistake; ${found.length} with a worse move at a random ply, found there`,
  );
}

ffish.onRuntimeInitialized = async () => {
  try {
    const settings = parse(process.argv.slice(2), defaults);
    if (settings.games > 0) await engineGames(settings);
    if (settings.lines > 0) linesAndMistakes(settings);
    if (differences > 0) console.error(`${differences} differences`);
    process.exitCode = differences === 0 ? 0 : 1;
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
};
