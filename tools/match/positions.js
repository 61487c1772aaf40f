// Positions drawn from the tables: random men of an ending, with a count that has not begun, one that just suffices, or
// one that is just too short. The command line gives the value of each.
"use strict";

const { execFileSync } = require("child_process");

// The limits of the pieces' honor; the first line that fits applies.
const LIMITS = [
  [/R.*R/, 8],
  [/R/, 16],
  [/S.*S/, 22],
  [/N.*N/, 32],
  [/S/, 44],
  [/./, 64],
];

// Random numbers in [0, 1), the same for the same seed (mulberry32).
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function probe(sakmak, tables, fens, rules = "makruk") {
  const args = ["probe", "--json", "--rules", rules, "--tables", tables, "-"];
  const options = { input: `${fens.join("\n")}\n`, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "ignore"] };
  let out;
  try {
    out = execFileSync(sakmak, args, options);
  } catch (error) {
    // Positions that are not legal give an error each, and an exit code.
    out = error.stdout;
  }
  return out.toString().trim().split("\n").map((line) => JSON.parse(line));
}

// A square for a man: any, but for a bia from its side's third rank to before the sixth, where it promotes.
function squareFor(man, next) {
  if (man !== "P" && man !== "p") return Math.floor(next() * 64);
  // Rows are counted from the eighth rank.
  return 8 * (man === "P" ? 3 : 2) + Math.floor(next() * 24);
}

// The men of an ending on random squares; White has the men named first, or Black if the sides are exchanged.
function place(next, ending) {
  const [white, black] = ending.split("v");
  const swap = next() < 0.5;
  const squares = Array(64).fill("1");
  const men = [...white].map((m) => (swap ? m.toLowerCase() : m));
  men.push(...[...black].map((m) => (swap ? m : m.toLowerCase())));
  for (const man of men) squares[squareFor(man, next)] = man;
  if (squares.filter((m) => m !== "1").length !== men.length) return null;
  const ranks = [];
  for (let i = 0; i < 8; i += 1) ranks.push(squares.slice(8 * i, 8 * i + 8).join(""));
  const board = ranks.join("/").replace(/1+/g, (ones) => ones.length);
  return { board, turn: next() < 0.5 ? "w" : "b", stronger: swap ? "b" : "w", ending };
}

// The FEN with a count that leaves the stronger side a given number of moves, or one that begins now. No count runs
// while a bia stands.
function withCount({ board, turn, stronger, ending }, left) {
  if (ending.includes("P")) return `${board} ${turn} - - 0 50`;
  const [men, weaker] = ending.split("v");
  const bare = weaker === "K";
  const n = men.length + weaker.length;
  const limit = 2 * (bare ? LIMITS.find(([fits]) => fits.test(men.slice(1)))[1] : 64);
  const mine = turn === stronger;
  let counted;
  if (left === undefined) counted = bare ? 2 * n - (mine ? 1 : 0) : 0;
  else counted = limit - 2 * left + (mine ? 1 : 0);
  return `${board} ${turn} - ${limit} ${counted} 50`;
}

// Draws positions of each ending: `win` is won within the count for the side with more men; `draw` is not won, in half
// of them only because of the count.
function draw(sakmak, tables, endings, number, kind, seed) {
  const next = random(seed);
  const drawn = [];
  for (const ending of endings) {
    const found = [];
    for (let round = 0; found.length < number; round += 1) {
      if (round > 400) throw new Error(`${ending} has no ${kind} that is easily found`);
      const placed = [];
      while (placed.length < 4 * number + 20) placed.push(place(next, ending));
      const legal = placed.filter(Boolean);
      const first = probe(sakmak, tables, legal.map((p) => withCount(p)));
      const wanted = legal.map((position, i) => {
        const { category, dtm, dth, error } = first[i];
        if (error) return null;
        const mine = position.turn === position.stronger;
        const won = category === (mine ? "win" : "loss");
        const distance = dth ?? dtm;
        const tight = next() < 0.5;
        // A win in one or two moves proves little.
        if (won && (distance ?? 0) < 3) return null;
        if (kind === "win") return won ? withCount(position, tight ? distance : undefined) : null;
        if (won) return tight ? withCount(position, distance - 1) : null;
        return tight ? null : withCount(position);
      });
      const fens = wanted.filter(Boolean);
      const second = fens.length ? probe(sakmak, tables, fens) : [];
      fens.forEach((fen, i) => {
        const answer = second[i];
        if (answer.error || found.length >= number) return;
        const position = legal[wanted.indexOf(fen)];
        const mine = fen.split(" ")[1] === position.stronger;
        const won = answer.category === (mine ? "win" : "loss");
        const over = answer.moves.length === 0;
        if (!over && won === (kind === "win")) {
          found.push({ fen, stronger: position.stronger, ending, category: answer.category });
        }
      });
    }
    drawn.push(...found);
  }
  return drawn;
}

module.exports = { draw, place, probe, random };
