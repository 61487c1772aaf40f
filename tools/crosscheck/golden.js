// Reads files of golden answers, and says where Fairy-Stockfish sees a position otherwise: its FEN, mates and
// stalemates, and the best move, which must be legal.
"use strict";

const fs = require("fs");
const ffish = require("ffish");

const { plain } = require("./report.js");
const { VARIANTS } = require("../variants.js");

// The lines of a file as objects by the names of their fields.
function answers(file) {
  const lines = fs.readFileSync(file, "utf8").trim().split("\n");
  const [names, ...rest] = lines.filter((line) => !line.startsWith("#"));
  const fields = names.split(",");
  return rest.map((line) => {
    const values = line.split(",");
    return Object.fromEntries(fields.map((field, i) => [field, values[i]]));
  });
}

// The differences in a position, in words.
function differences(board, ours) {
  board.setFen(ours.fen);
  const found = [];
  const same = (what, here, there) => {
    if (here !== there) found.push(`${what}: ${here} here, ${there} there`);
  };
  same("position", plain(ours.fen), plain(board.fen()));
  const moves = board.legalMoves().split(" ").filter(Boolean);
  same("without moves", ours.best === "", moves.length === 0);
  if (ours.best === "") {
    same("mate", ours.dtm === "0", board.isCheck());
  } else if (!moves.includes(ours.best)) {
    found.push(`${ours.best} is not legal there`);
  }
  return found;
}

ffish.onRuntimeInitialized = () => {
  const boards = {};
  for (const [rules, variant] of Object.entries(VARIANTS)) boards[rules] = new ffish.Board(variant);
  let [asked, wrong] = [0, 0];
  for (const ours of process.argv.slice(2).flatMap(answers)) {
    asked += 1;
    const found = differences(boards[ours.rules], ours);
    if (found.length === 0) continue;
    wrong += 1;
    console.error(`${ours.rules}: ${ours.fen}: ${found.join("; ")}`);
  }
  console.log(`${asked} golden answers, ${wrong} differ`);
  process.exitCode = asked > 0 && wrong === 0 ? 0 : 1;
};
