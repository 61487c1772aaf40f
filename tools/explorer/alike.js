// Asks about random positions, mostly with a count, and about half as many with bia, in four ways: by HTTP, the command line, the library in
// Rust and the reader in WebAssembly. All must say the same, to the byte. Arguments: a directory for copies,
// the site's directory, the server's address, the program, the example `answers`, the tables, and how many
// positions without bia.
"use strict";
const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { RULES, below, one, placed } = require("./random.js");
const { reader } = require("./reader.js");

const [work, site, server, program, example, tables, number] = process.argv.slice(2);
const endings = Object.keys(JSON.parse(fs.readFileSync(path.join(site, "v1/manifest.json"), "utf8")).tables);
const [bia, pawnless] = [true, false].map((wanted) => endings.filter((ending) => ending.includes("P") === wanted));
/** The most that `POST /v1/probe` takes. */
const BATCH = 1000;

const lines = (text) => text.split("\n").filter(Boolean);

/** FENs of some endings under one rule set, with their counts. */
async function positions(ask, rules, some, most) {
  const fens = [];
  while (fens.length < most) {
    const fen = placed(one(some), rules).replaceAll(" ", "_");
    const count = some !== bia && below(4) ? `&count=${below(66)}` : "";
    const { status, text } = await ask("/v1/probe", `fen=${fen}&rules=${rules}${count}`);
    if (status === 200) fens.push(JSON.parse(text).fen);
  }
  return fens;
}

async function main() {
  const { ask } = await reader(site, work);
  const all = { positions: 0, counts: 0, bia: 0 };
  const share = Math.ceil(Number(number) / RULES.length);
  const rounds = [...RULES.map((rules) => [rules, pawnless, share]), ["makruk", bia, bia.length ? Math.ceil(Number(number) / 2) : 0]];
  for (const [rules, some, most] of rounds) {
    const fens = await positions(ask, rules, some, most);
    const input = fens.join("\n");
    const run = (file, args) => lines(execFileSync(file, args, { input, maxBuffer: 1 << 30 }).toString());
    const library = run(example, [tables, rules]);
    const programs = run(program, ["probe", "-", "--json", "--rules", rules, "--tables", tables]);
    const served = [];
    const read = [];
    for (let at = 0; at < fens.length; at += BATCH) {
      const body = fens.slice(at, at + BATCH).join("\n");
      // While a program runs, node does not notice that the server has closed an idle connection.
      const headers = { Connection: "close" };
      const response = await fetch(`${server.replace(/\/$/, "")}/v1/probe?rules=${rules}`, { method: "POST", headers, body });
      assert.equal(response.status, 200);
      served.push(...lines(await response.text()));
    }
    for (const fen of fens) {
      read.push((await ask("/v1/probe", `fen=${fen.replaceAll(" ", "_")}&rules=${rules}`)).text.trimEnd());
    }
    assert.equal(library.length, fens.length);
    fens.forEach((fen, i) => {
      for (const [who, said] of [["the program", programs[i]], ["the server", served[i]], ["the reader", read[i]]]) {
        assert.equal(said, library[i], `${rules} ${fen}: ${who}`);
      }
      assert.equal(JSON.parse(library[i]).fen, fen);
      all.counts += JSON.parse(library[i]).count?.started ? 1 : 0;
    });
    all[some === bia ? "bia" : "positions"] += fens.length;
  }
  assert.ok(all.counts > all.positions / 3, JSON.stringify(all));
  console.log(`server, program, library and reader say the same of ${all.positions} positions, ${all.counts} of them with a running count, and of ${all.bia} with bia`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
