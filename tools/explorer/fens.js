// The page draws every FEN that the tables read in the same way as they do, before their answer arrives. Argument: a
// directory for a copy of its module.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const [work] = process.argv.slice(2);
const root = path.join(__dirname, "../..");

async function main() {
  // Node recognises a module by its file name.
  const copy = path.join(work, "fen.mjs");
  fs.copyFileSync(path.join(root, "explorer/web/js/fen.js"), copy);
  const { format, letteringOf, parse } = await import(pathToFileURL(copy));
  const fens = JSON.parse(fs.readFileSync(path.join(root, "tests/data/fens.json"), "utf8"));
  const read = fens.filter(({ reads }) => reads);
  for (const { fen, rules, reads } of read) {
    const position = parse(fen);
    assert.ok(position, `${fen} is not drawn`);
    assert.equal(format(position, letteringOf(rules)), reads, fen);
  }
  for (const { fen, refused } of fens) {
    if (refused) assert.doesNotThrow(() => parse(fen), fen);
  }
  // B and Q may be men of western chess, so under makruk they are not guessed.
  for (const fen of ["8/8/8/3k4/8/3K4/3QB3/8 w", "8/8/8/3k4/8/3K4/2SQ4/8 w", "8/8/3b4/3k4/8/3K4/2SM4/8 w"]) assert.equal(parse(fen, "makruk"), null, fen);
  console.log(`${read.length} FENs are drawn as the tables read them`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
