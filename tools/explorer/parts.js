// Splits files of many games into parts as the page does, with a server that only numbers what it gets.
//
//   node parts.js
"use strict";

const assert = require("assert");
const fs = require("fs");
const path = require("path");

async function main() {
  const text = fs.readFileSync(path.join(__dirname, "../../explorer/web/js/parts.js"), "utf8");
  const { documentsOf, pgnOf } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  const read = async (body) => (typeof body === "string" ? body : body.text());

  const moves = Array.from({ length: 60 }, (_, i) => `${i + 1}. Kc5 Nd8`).join(" ");
  const game = (i) => `[Event "${i}"]\n[White "ก"]\n\n${moves}\n{[%clk 1]}\n\n[%no tag] 1-0\n\n`;
  const many = Array.from({ length: 200 }, (_, i) => game(i)).join("");
  // The server's answer: each game with its line in the part.
  let asked = 0;
  const ask = async (body) => {
    asked += 1;
    const part = await read(body);
    assert(part.length < 50_000, "more than the server takes");
    const lines = part.split("\n");
    const events = lines.flatMap((line, i) => (line.startsWith("[Event") ? [[/"(.*)"/.exec(line)[1], i + 1]] : []));
    return events.map(([event, line]) => ({ line, event, error: Number(event) % 7 === 0 ? { line: line + 3 } : null }));
  };
  const documents = await documentsOf(new Blob([many]), ask);
  assert(asked > 3 && asked < 20, `${asked} parts`);
  const events = documents.map(({ event }) => Number(event));
  assert.deepStrictEqual(events, [...Array(200).keys()]);
  const lines = many.split("\n");
  for (const { line, event, error } of documents) {
    assert.strictEqual(lines[line - 1], `[Event "${event}"]`);
    if (error) assert.strictEqual(lines[error.line - 1], moves);
  }

  // The PGN of all parts, with refusals numbered through.
  const refuse = async (body) => (await ask(body)).map(({ event, line }, i) => `% game ${i + 1} (line ${line}): ${event}\n\n`).join("");
  const pgn = await pgnOf(new Blob([many]), refuse);
  const refused = [...pgn.matchAll(/^% game (\d+) \(line (\d+)\): (\d+)$/gm)];
  assert.strictEqual(refused.length, 200);
  for (const [, number, line, event] of refused) {
    assert.strictEqual(Number(number), Number(event) + 1);
    assert.strictEqual(lines[line - 1], `[Event "${event}"]`);
  }

  // A part without a readable game is one of many; alone, or if the server does not answer, it is the whole answer.
  const broken = (kind) => async (body) => {
    if ((await read(body)).includes('"100"')) throw Object.assign(new Error("no"), { kind });
    return ask(body);
  };
  const some = await documentsOf(new Blob([many]), broken("input"));
  assert.strictEqual(some.filter((game) => game.error?.message === "no").length, 1);
  await assert.rejects(documentsOf(new Blob([many]), broken("offline")));
  await assert.rejects(documentsOf(new Blob([game(100)]), broken("input")));

  // A short file is sent as it is, whatever its bytes; a long one in Latin-1 is read as the server reads it.
  const bytes = Uint8Array.of(0, 255, 80);
  await documentsOf(new Blob([bytes]), async (body) => {
    assert.deepStrictEqual(new Uint8Array(await body.arrayBuffer()), bytes);
    return [];
  });
  const latin = Buffer.from(`[White "Andr\xe9"]\n\n${moves}\n\n`.repeat(200), "latin1");
  const first = [];
  await documentsOf(new Blob([latin]), async (body) => {
    first.push(body);
    return [];
  });
  assert(first[0].includes("André"));
  console.log(`200 games in ${asked} answers, all with their places`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
