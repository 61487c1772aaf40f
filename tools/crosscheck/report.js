// Shared by the comparisons: reads lines of JSON, counts differences, and shows the first ones.
"use strict";

const ffish = require("ffish");
const readline = require("readline");

const SHOWN = 10;

class Report {
  constructor(variant) {
    this.variant = variant;
    this.differences = 0;
  }

  // Records a difference if the two are not equal.
  compare(where, what, here, there) {
    const [ours, theirs] = [here, there].map((value) => JSON.stringify(value));
    if (ours === theirs) return;
    this.differences += 1;
    if (this.differences <= SHOWN) {
      console.error(`${this.variant}: ${where}: ${what}: ${ours} here, ${theirs} there`);
    }
  }
}

// A FEN without the clock where no count runs, and without the signs of promoted men.
function plain(fen) {
  const fields = fen.replace(/~/g, "").split(" ");
  if (fields[3] === "-") fields[4] = "0";
  return fields.join(" ");
}

// Calls `compare` for every line of standard input with a board of the variant; `expected` lines of `what` must come.
// Prints what `summary` returns, and fails at any difference.
function run({ variant, what, expected, compare, summary }) {
  ffish.onRuntimeInitialized = async () => {
    const board = new ffish.Board(variant);
    const report = new Report(variant);
    let lines = 0;
    for await (const line of readline.createInterface({ input: process.stdin })) {
      lines += 1;
      compare(board, JSON.parse(line), report);
    }
    board.delete();
    const all = lines === Number(expected);
    if (!all) {
      console.error(`${variant}: ${expected} ${what} were asked for, but ${lines} came`);
    }
    console.log(`${variant}: ${lines} ${what}, ${summary(report)}`);
    process.exitCode = all && report.differences === 0 ? 0 : 1;
  };
}

module.exports = { run, plain };
