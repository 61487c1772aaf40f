// Plays the games of tests/data/pgn, files as other programs write them, in Fairy-Stockfish, and
// compares each position with what `sakmak annotate` reads, and the last with last-fens.csv.
//
//   node files.js --sakmak=PROGRAM --tables=DIR [--uci]
//
// --uci prints the moves of each game in place of comparing; other settings are those of annotate.js. Its reader of PGN shares nothing with
// the program's: a move is the legal one whose words fit.
"use strict";

const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const ffish = require("../crosscheck/node_modules/ffish");

const setting = (name) => process.argv.slice(2).reverse().find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const [program, tables] = [setting("sakmak"), setting("tables")];
const onlyMoves = process.argv.includes("--uci");
const root = path.join(__dirname, "../../tests/data");
const SHOWN = 10;
const VARIANTS = { makruk: "makruk", cambodian: "cambodian", oukchaktrang: "cambodian", asean: "asean" };
const RULES = { makruk: "makruk", cambodian: "ouk", asean: "asean" };

let differences = 0;
function differs(where, what, ours, theirs) {
  if (ours === theirs) return;
  differences += 1;
  if (differences <= SHOWN) console.error(`${where}: ${what}: ${ours}, should be ${theirs}`);
}

function filesUnder(directory) {
  return fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) return filesUnder(file);
    return entry.name.endsWith(".pgn") ? [file] : [];
  }).sort();
}

// The games of a file: tags, and the words of the moves without numbers, comments and annotation signs.
function gamesOf(text) {
  const games = [];
  for (const part of text.replace(/\r+\n/g, "\n").trim().split(/(?<=[*012]\n+)(?=\[)/)) {
    const tags = Object.fromEntries([...part.matchAll(/^\[(\w+) "(.*)"\]$/gm)].map(([, name, value]) => [name, value]));
    let moves = part.replace(/^\[.*\]$/gm, "").replace(/\{[^}]*\}|\$\d+/g, " ");
    while (/\(/.test(moves)) moves = moves.replace(/\([^()]*\)/g, " ");
    const words = moves.split(/\s+/).map((word) => word.replace(/^\d+\.+/, "").replace(/[^A-Za-z0-9]+$/, ""));
    const result = /^(1-0|0-1|1\/2-1\/2|1\/2|\d*|[A-Z])$/;
    if (Object.keys(tags).length > 0) games.push({ tags, words: words.filter((word) => !result.test(word)) });
  }
  return games;
}

// The men by square: `P` is a bia, `M` a met, `M~` a promoted bia.
function menOf(fen) {
  const men = {};
  fen.split(" ")[0].split("/").forEach((rank, i) => {
    let file = 0;
    for (const [, digits, man] of rank.matchAll(/(\d)|([A-Za-z]~?)/g)) {
      if (digits) file += Number(digits);
      else {
        men["abcdefgh"[file] + (8 - i)] = man.toUpperCase().replace("Q", "M").replace("B", "S");
        file += 1;
      }
    }
  });
  return men;
}

// The legal move that a word means; `words` are all words of the game.
function meant(board, word, words) {
  const legal = board.legalMoves().split(" ");
  if (legal.includes(word)) return word;
  const [, letter, file, rank, to, promoted] = /^([KRNSMBQFP]?)([a-h]?)([1-8]?)x?([a-h][1-8])=?([A-Z]?)$/.exec(word) ?? [];
  if (to === undefined) return undefined;
  const men = menOf(board.fen(true));
  const apart = words.some((other) => other.endsWith("=P"));
  const kinds = { "": ["P"], P: apart ? ["M~"] : ["P"], Q: apart ? ["M"] : ["M", "M~"], F: ["M", "M~"], M: ["M", "M~"], B: ["S"] }[letter] ?? [letter];
  const fits = legal.filter((move) =>
    kinds.includes(men[move.slice(0, 2)]) && move.slice(2, 4) === to &&
    (!file || move[0] === file) && (!rank || move[1] === rank) &&
    (!promoted || move.length === 5));
  return fits.length === 1 ? fits[0] : undefined;
}

function play({ tags, words }) {
  const variant = VARIANTS[(tags.Variant ?? "makruk").toLowerCase().replace(/[^a-z]/g, "")];
  // xboard writes neither castling rights nor a count.
  const fen = tags.FEN?.replace(/^(\S+ [wb]) (\d+ \d+)$/, "$1 - - $2");
  const board = fen ? new ffish.Board(variant, fen) : new ffish.Board(variant);
  const fens = [board.fen()];
  const moves = [];
  for (const word of words) {
    const move = meant(board, word, words);
    if (move === undefined) return { fens, moves, stopped: word };
    board.push(move);
    fens.push(board.fen());
    moves.push(move);
  }
  board.delete();
  return { variant, fen, fens, moves };
}

function annotate(file) {
  const args = ["annotate", "--json", "--tables", tables, "--count-from", "first", file];
  let out;
  try {
    out = execFileSync(program, args, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    // Exit code 1 is no fault: games may reach no table.
    if (error.status !== 1) console.error(error.stderr.toString());
    out = error.stdout;
  }
  return out.toString().split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

ffish.onRuntimeInitialized = () => {
  const last = [];
  let plies = 0;
  let known = 0;
  for (const file of filesUnder(root)) {
    const name = path.relative(root, file);
    const played = gamesOf(fs.readFileSync(file, "latin1").replace(/[^\x00-\x7f]/g, "")).map(play);
    played.forEach(({ fens, stopped }, i) => {
      differs(`${name}, game ${i + 1}`, "played here", stopped, undefined);
      last.push(`${name},${i + 1},${fens.at(-1)}`);
    });
    if (onlyMoves) {
      for (const { variant, fen, moves } of played) console.log([name, variant, fen ?? "", moves.join(" ")].join(","));
      continue;
    }
    const documents = annotate(file);
    differs(name, "games", documents.length, played.length);
    played.forEach(({ variant, fens }, i) => {
      const where = `${name}, game ${i + 1}`;
      differs(where, "error", documents[i]?.error?.message ?? null, null);
      differs(where, "rules", documents[i]?.rules, RULES[variant]);
      fens.forEach((fen, ply) => {
        // Fairy-Stockfish writes a count that has not begun only from the next move on.
        const ours = documents[i]?.positions?.[ply];
        if (ply > 0) differs(`${where}, ply ${ply}`, "FEN", ours?.fen, fen);
        known += ours?.known ? 1 : 0;
      });
      plies += fens.length - 1;
    });
  }
  if (!onlyMoves) {
    const stored = fs.readFileSync(path.join(root, "pgn/last-fens.csv"), "utf8").trim().split("\n");
    last.forEach((line, i) => differs("last-fens.csv", `line ${i + 1}`, stored[i], line));
    console.log(`${last.length} games of other programs, ${plies} plies, ${known} positions in the tables, as Fairy-Stockfish plays them`);
  }
  if (differences > 0) console.error(`${differences} differences`);
  process.exitCode = differences === 0 ? 0 : 1;
};
