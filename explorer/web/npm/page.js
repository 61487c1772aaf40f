// Tries the installed package in a page: a program as in the README, in headless Chromium, from a server with ranges.
//
//   node page.js CHROMIUM       in a directory with node_modules/sakmak and tables
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const page = `<!doctype html><meta charset="utf-8"><script type="module">
let printed;
try {
  const { open } = await import("/node_modules/sakmak/index.js");
  const tables = await open("tables");
  const answer = await tables.probe("8/8/8/3k4/8/3K4/2SM4/8 w");
  printed = answer.category + " " + answer.dtm;
} catch (error) {
  printed = String(error);
}
await fetch("/printed", { method: "POST", body: printed });
</script>`;
const kinds = { js: "text/javascript", json: "application/json", wasm: "application/wasm" };
let fetched = 0;
let print;
const printed = new Promise((resolve) => (print = resolve));

const server = createServer(async (request, response) => {
  if (request.method === "POST") {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end();
    print(Buffer.concat(chunks).toString());
    return;
  }
  if (request.url === "/") {
    response.setHeader("Content-Type", "text/html").end(page);
    return;
  }
  const bytes = await readFile(`.${request.url}`).catch(() => null);
  if (!bytes) {
    response.writeHead(404).end();
    return;
  }
  response.setHeader("Content-Type", kinds[request.url.split(".").at(-1)] ?? "application/octet-stream");
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
  const part = range ? bytes.subarray(Number(range[1]), Number(range[2]) + 1) : bytes;
  if (range) response.writeHead(206, { "Content-Range": `bytes ${range[1]}-${range[2]}/${bytes.length}` });
  if (request.url.startsWith("/tables/K")) fetched += part.length;
  response.end(part);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const profile = mkdtempSync(join(tmpdir(), "page-"));
const address = `http://127.0.0.1:${server.address().port}/`;
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = spawn(process.argv[2], ["--headless", ...sandbox, `--user-data-dir=${profile}`, address], { stdio: "ignore" });
const late = setTimeout(() => print("nothing in 60 seconds"), 60_000);
const answer = await printed;
clearTimeout(late);
browser.kill();
await new Promise((resolve) => browser.once("close", resolve));
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
server.close();
server.closeAllConnections();
if (answer !== "win 26") {
  console.error(`the page printed: ${answer}`);
  process.exit(1);
}
console.log(`in a page: ${answer}, ${fetched} bytes of tables`);
