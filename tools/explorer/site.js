// Compares the static site with the server: under node by many questions, and in the browser by a whole
// session, in which no byte of a table may be fetched twice. Arguments: the browser, a directory for its
// profile, the site's directory, the server's address, and how many questions are compared.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");
const { chromium } = require("playwright-core");
const { serve } = require("./files.js");
const { RULES, below, one, placed } = require("./random.js");
const { reader } = require("./reader.js");

const [browserPath, work, site, server, most] = process.argv.slice(2);
const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";
const { tables } = JSON.parse(fs.readFileSync(path.join(site, "v1/manifest.json"), "utf8"));

/** A question about a random position, mostly with a count, which may be illegal. */
function question() {
  const rules = one(RULES);
  const fen = placed(one(Object.keys(tables)), rules).replaceAll(" ", "_");
  const count = below(4) ? `&count=${below(66)}` : "";
  const route = one(["/v1/explore", "/v1/explore", "/v1/probe", "/v1/line", "/v1/line.pgn", "/v1/moves", `/${rules}`, `/${rules}/mainline`]);
  return [route, `fen=${fen}&rules=${rules}${count}`];
}

async function fromServer(route, query, body) {
  const response = await fetch(`${server.replace(/\/$/, "")}${route}?${query}`, { method: body ? "POST" : "GET", body });
  return { status: response.status, text: await response.text() };
}

/** Fails if any byte of a table was sent twice. Returns the bytes of tables. */
function tableBytes(ranges) {
  const parts = new Map();
  for (const { name, from, end } of ranges) {
    if (name.startsWith("tables/")) parts.set(name, [...parts.get(name) ?? [], [from, end]]);
  }
  let bytes = 0;
  for (const [name, list] of parts) {
    list.sort(([a], [b]) => a - b);
    list.forEach(([from, end], i) => {
      assert.ok(i === 0 || list[i - 1][1] <= from, `${name}: ${from} is fetched twice`);
      bytes += end - from;
    });
  }
  return bytes;
}

// The reader under node: its answers equal the server's byte for byte.
async function questions() {
  const { ask, sent } = await reader(site, work);
  const statuses = {};
  for (let i = 0; i < Number(most); i += 1) {
    const [route, query] = question();
    const [said, expected] = await Promise.all([ask(route, query), fromServer(route, query)]);
    assert.deepEqual(said, expected, `${route}?${query}`);
    statuses[said.status] = (statuses[said.status] ?? 0) + 1;
  }
  assert.ok(statuses[200] > Number(most) / 3 && statuses[400] > 0, JSON.stringify(statuses));
  for (const material of Object.keys(tables)) {
    assert.deepEqual(await ask(`/v1/endings/${material}`, ""), await fromServer(`/v1/endings/${material}`, ""));
    const query = `ending=${material}&rules=${one(RULES)}&seed=${below(1000)}&category=${one(["", "win", "draw"])}`;
    assert.deepEqual(await ask("/v1/random", query), await fromServer("/v1/random", query), query);
    const { fen } = JSON.parse((await fromServer("/v1/random", `ending=${material}&seed=${below(1000)}`)).text);
    const about = `fen=${fen.replaceAll(" ", "_")}`;
    const { moves } = JSON.parse((await fromServer("/v1/moves", about)).text);
    if (!moves.length) continue;
    const why = `${about}&move=${one(moves).uci}`;
    assert.deepEqual(await ask("/v1/why", why), await fromServer("/v1/why", why), why);
  }
  for (const lesson of ["limit", "number", "left", "start", "capture", "board", "stop", "baring", "bia", "promote"]) {
    const query = `lesson=${lesson}&rules=${lesson === "promote" ? "makruk" : one(["makruk", "ouk"])}&ending=KSPvK&seed=${below(1000)}`;
    assert.deepEqual(await ask("/v1/course", query), await fromServer("/v1/course", query), query);
  }
  for (const [route, query] of [["/v1/endings/KRRRvKN", ""], ["/v1/probe", "fen=8/8/8/3k4/8/3K4/RRRRRR2/8_w"], ["/v1/probe", "fen=x"], ["/v1/probe", ""]]) {
    assert.deepEqual(await ask(route, query), await fromServer(route, query), `${route}?${query}`);
  }
  const all = Object.values(tables).reduce((sum, table) => sum + table.bytes, 0);
  console.log(`the static site says the same: ${most} questions, ${JSON.stringify(statuses)}; ${tableBytes(sent)} of ${all} bytes of tables were fetched`);
}

const PGN = `[FEN "8/8/8/3k4/8/3K4/3R4/8 w - - 0 40"]

40. Ra2 Kc5 41. Ra1 Kd5 42. Ra4 Ke5 43. Re4+ Kd5 44. Re5+ Kxe5 1/2-1/2
`;

// The page in a browser, from a server that only sends files.
async function session() {
  const { server: files, sent, address } = await serve(site);
  const context = await chromium.launchPersistentContext(path.join(work, "site"), {
    executablePath: browserPath,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
    viewport: { width: 1280, height: 900 },
    locale: "en-GB",
    // Service workers fetch tables for later; they are blocked so that each byte is counted.
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  const noise = [];
  const asked = [];
  page.on("console", (message) => {
    if (!/Service Worker registration blocked/.test(message.text())) noise.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => noise.push(`error: ${error}`));
  page.on("request", (request) => asked.push(request.url()));
  const answered = async () => {
    await page.waitForFunction(() => !document.querySelector("#moves").hasAttribute("aria-busy"), null, { timeout: 20000 });
    await page.waitForFunction(() => document.querySelectorAll("#moves tbody tr").length > 0, null, { timeout: 20000 });
  };
  const rows = () => page.locator("#moves tbody tr").evaluateAll((all) => all.map((row) => row.dataset.uci));
  const moves = async (fen, rules) => JSON.parse((await fromServer("/v1/probe", `fen=${fen.replaceAll(" ", "_")}&rules=${rules}`)).text).moves.map(({ uci }) => uci);

  await page.goto(address);
  await answered();
  const first = [...sent];
  assert.deepEqual(await rows(), await moves(START, "makruk"), "the first position");
  const code = [...new Set(first.filter(({ name, status }) => status === 200 && !name.startsWith("tables/")).map(({ name }) => name))];
  const gzipped = code.reduce((sum, name) => sum + zlib.gzipSync(fs.readFileSync(path.join(site, name))).length, 0);
  const parts = tableBytes(first);
  console.log(`the first answer took ${gzipped + parts} bytes: ${gzipped} of page and code (gzipped), ${parts} of tables in ${first.filter(({ name }) => name.startsWith("tables/")).length} requests`);
  assert.ok(gzipped + parts <= 400_000);

  // FENs typed into the page.
  for (const [fen, rules] of [["8/8/8/3k4/8/3K4/2SM4/8 w - 88 25 1", "makruk"], ["8/8/8/8/8/2k5/8/K6R w - 32 12 1", "makruk"], ["8/8/3k4/8/3K4/8/R7/7n b - - 0 1", "makruk"], ["8/8/8/2P5/3k4/1R6/8/7K w - - 0 1", "makruk"]]) {
    await page.locator("#fen").fill(fen);
    await page.locator("#fen").press("Enter");
    await page.waitForFunction((wanted) => document.querySelector("#fen").value === wanted, fen);
    await answered();
    assert.deepEqual(await rows(), await moves(fen, rules), fen);
    await page.waitForSelector(".histogram rect.mine, .histogram rect.bar");
  }
  for (let i = 0; i < 30; i += 1) {
    const fen = placed(one(Object.keys(tables)), "makruk");
    const { status, text } = await fromServer("/v1/explore", `fen=${fen.replaceAll(" ", "_")}&rules=makruk`);
    const said = JSON.parse(text);
    await page.locator("#fen").fill(fen);
    await page.locator("#fen").press("Enter");
    await page.waitForFunction(() => !document.querySelector("main").hasAttribute("aria-busy"));
    if (status === 200) assert.deepEqual(await rows(), said.answer.moves.map(({ uci }) => uci), fen);
    else assert.ok((await page.locator("#fen-problem").innerText()).includes(said.error.message.slice(0, 100)), fen);
  }
  await page.locator("#pgn").setInputFiles({ name: "game.pgn", mimeType: "text/plain", buffer: Buffer.from(PGN) });
  await page.waitForSelector("#games .wrong");
  const [annotated] = (await fromServer("/v1/annotate", "format=json", PGN)).text.split("\n");
  assert.equal(await page.locator("#games .wrong").count(), JSON.parse(annotated).mistakes.length);
  // Through a promotion into another table.
  await page.goto(`${address}?fen=8/8/8/7P/8/1S6/8/1K1k4_w_-_-_0_1&rules=makruk`);
  await answered();
  await page.locator("[data-do=line]").click();
  await page.waitForFunction(() => /=M/.test(document.querySelector("#line").innerText));
  const { moves: best } = JSON.parse((await fromServer("/v1/line", "fen=8/8/8/7P/8/1S6/8/1K1k4_w&rules=makruk")).text);
  assert.deepEqual(await page.evaluate(() => history.state.moves.map((move) => move.uci)), best.map((move) => move.uci), "the best line with a bia");
  await page.locator("[data-do=line]").click();
  // The best line to mate, a link, and a reload of the page.
  await page.goto(`${address}?fen=8/8/8/8/8/2k5/8/K6R_w_-_-_0_1&rules=makruk`);
  await answered();
  const again = sent.length;
  await page.locator("[data-do=line]").click();
  await page.waitForFunction(() => document.querySelectorAll("#line .ply").length === 27);
  await page.locator("[data-do=line]").click();
  await page.keyboard.press("End");
  await page.waitForFunction(() => /checkmated/.test(document.querySelector("#verdict").innerText));
  assert.equal(sent.slice(again).filter(({ status }) => status === 404).length, 0);
  // Each load of the page on its own.
  const loads = sent.flatMap(({ name }, i) => (name === "index.html" ? [i] : []));
  loads.forEach((from, i) => tableBytes(sent.slice(from, loads[i + 1])));
  assert.deepEqual(noise, [], "the console is silent");
  assert.deepEqual(asked.filter((url) => !url.startsWith(address) && !/^(blob|data):/.test(url)), [], "nothing is asked of anybody else");
  await context.close();
  files.close();
  console.log(`the static site can be used: ${sent.length} requests`);
}

/** After one visit the page works offline: its files and the tables that were kept. */
async function offline() {
  const { server: files, address } = await serve(site);
  const context = await chromium.launchPersistentContext(path.join(work, "offline"), {
    executablePath: browserPath,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
    locale: "en-GB",
  });
  const page = await context.newPage();
  await page.goto(address);
  const { tables: all } = JSON.parse(fs.readFileSync(path.join(site, "v1/manifest.json"), "utf8"));
  const kept = () => page.evaluate(async (urls) => {
    const found = await Promise.all(urls.map((url) => caches.match(url)));
    return found.filter(Boolean).length;
  }, Object.values(all).map(({ url }) => url));
  const sizes = Object.values(all).map(({ bytes }) => bytes).sort((a, b) => a - b);
  let sum = 0;
  const fitting = sizes.filter((bytes) => (sum += bytes) <= 8 << 20).length;
  for (let i = 0; i < 600 && await kept() < fitting; i += 1) await page.waitForTimeout(100);
  assert.equal(await kept(), fitting, "tables are kept");
  const manifest = await (await page.request.get(`${address}manifest.webmanifest`)).json();
  assert.ok(manifest.name && manifest.icons.length && manifest.start_url, "it can be installed");
  files.closeAllConnections();
  await new Promise((resolve) => files.close(resolve));
  let looked = 0;
  for (const fen of [START, "8/8/8/8/8/2k5/8/K6R w - - 0 1", "8/8/3k4/8/3K4/8/R7/7n b - - 0 1", "8/8/8/2P5/3k4/1R6/8/7K w - - 0 1"]) {
    await page.goto(`${address}?fen=${fen.replaceAll(" ", "_")}&rules=makruk`);
    await page.waitForFunction(() => document.querySelectorAll("#moves tbody tr[data-uci]").length > 0, null, { timeout: 30000 });
    const { answer } = JSON.parse((await fromServer("/v1/explore", `fen=${fen.replaceAll(" ", "_")}`)).text);
    assert.deepEqual(await page.locator("#moves tbody tr").evaluateAll((rows) => rows.map((row) => row.dataset.uci)), answer.moves.map(({ uci }) => uci));
    looked += 1;
  }
  await context.close();
  console.log(`without network after one visit: ${looked} positions, ${fitting} tables kept`);
}

questions().then(session).then(offline).catch((error) => {
  console.error(error);
  process.exit(1);
});
