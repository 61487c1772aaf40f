// Annotates games with the npm package:
//
//   node annotate.mjs PACKAGE TABLES
//
// Reads a PGN, as a string in JSON, from each line, and prints its document on one line.
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const [packed, directory] = process.argv.slice(2);
const { open } = await import(resolve(packed, "index.js"));
const tables = await open(resolve(directory));
for await (const line of createInterface({ input: process.stdin })) {
  const annotated = await tables.ask("/v1/annotate", { count_from: "first", format: "json" }, JSON.parse(line));
  console.log(annotated.trim());
}
