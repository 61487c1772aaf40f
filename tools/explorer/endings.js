// The index of endings and a page for each, without scripts: at two widths and in both languages every link
// leads somewhere, axe finds nothing, figures are those of `stats`, and the boards are those of the FEN. The
// static site has the same pages, byte for byte.
// Findings are those of `study`. Arguments: the browser, a directory for profiles, the server's address, the site's
// directory, one for screenshots, the report of `study --format json`.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const { open, quiet } = require("./browse.js");
const files = require("./files.js");
const { get } = require("./proxy.js");

const [browserPath, work, address, site, shots, study] = process.argv.slice(2);
const report = new Map(JSON.parse(fs.readFileSync(study, "utf8")).endings.map((ending) => [ending.material, ending]));
const ENDING = "KSMvK";

/** What a language says where this test looks. */
const SAYS = {
  en: { folder: "", index: "Endings", name: "K+S+M v K", letters: "K R N S M P", side: "v", men: "king, khon, met against king", until: /^\d+ moves to mate$/, toMove: /White to move\./, late: /(\d+) needed, (\d+) allowed/, becomes: /becomes/ },
  th: { folder: "th/", index: "ชุดปลายกระดาน", name: "ข+ค+ม็ – ข", letters: "ข ร ม ค ม็ บ", side: "–", men: "ขุน, โคน, เม็ด สู้กับ ขุน", until: /^\d+ ตาจนรุกจน$/, toMove: /ตาขาวเดิน/, late: /ต้องใช้ (\d+) มีให้เพียง (\d+)/, becomes: /หงายเป็น/ },
};

/** The moves as the explorer's own script writes them in a language. */
let spoken;

/** Loads the explorer's script of moves. Node recognises the modules by their folder. */
async function notation() {
  const copy = path.join(work, "notation");
  fs.cpSync(path.join(__dirname, "../../explorer/web/js"), copy, { recursive: true });
  fs.writeFileSync(path.join(copy, "package.json"), '{ "type": "module" }');
  globalThis.document = { documentElement: {} };
  globalThis.navigator ??= {};
  const [{ setLanguage }, moves] = await Promise.all(["words.js", "notation.js"].map((name) => import(path.join(copy, name))));
  spoken = (san, language) => {
    setLanguage(language);
    return moves.spoken(san);
  };
}

/** The name of an ending in Latin letters, such as KSMvK. */
function latin(text, { letters, side }) {
  const men = letters.split(" ");
  return text.split(side).map((army) => army.trim().split("+").map((man) => "KRNSMP"[men.indexOf(man)]).join("")).join("v");
}

async function asked(route) {
  const { status, bytes } = await get(new URL(route, address));
  assert.equal(status, 200, route);
  return bytes.toString();
}

const percent = (part, of) => {
  const share = (100 * part) / of;
  if (share > 0 && share < 0.1) return "<0.1 %";
  if (share < 100 && share > 99.9) return ">99.9 %";
  return `${share.toFixed(1)} %`;
};

/** axe finds nothing, and the page is no wider than the window. */
async function clean(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  assert.deepEqual(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`)), [], name);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${name}: ${wide} pixels too wide`);
}

/** The index and an ending's page. */
async function read(page, language, width) {
  const says = SAYS[language];
  const name = `${width}-${language}`;
  const { endings } = JSON.parse(await asked("v1/endings"));
  await page.goto(`${address}endings/${says.folder}`);
  assert.equal(await page.locator("h1").innerText(), says.index);
  assert.equal(await page.getAttribute("html", "lang"), language);
  const names = await page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.id));
  assert.deepEqual([...names].sort(), endings.map(({ material }) => material).sort(), "every ending");
  for (const row of await page.locator("tbody tr").all()) assert.ok((await row.locator("td").last().innerText()).length > 10, "a finding");
  await clean(page, `${name}: the index`);
  await page.screenshot({ path: path.join(shots, `endings-${name}.png`), fullPage: true });
  const row = page.locator(`#${ENDING}`);
  assert.equal(await row.locator("small").innerText(), says.men);
  const figures = JSON.parse(await asked(`v1/endings/${ENDING}`));
  const [makruk] = figures.rules;
  const { win, cursed_win: late, draw, blessed_loss: held, loss } = makruk.white_to_move;
  const legal = win + late + draw + held + loss;
  const cells = await row.locator("td").allInnerTexts();
  // A label comes before the figure at a small width, and is no text.
  assert.deepEqual(cells.slice(0, 3), ["4", percent(win + late, legal), percent(win, legal)]);
  assert.match(cells[3], says.until);
  await row.locator("a").click();
  assert.equal(await page.locator("h1").innerText(), says.name);
  assert.equal(await page.locator("table:not(.changes) tbody tr").count(), figures.rules.length);
  const boards = page.locator(".records figure");
  assert.equal(await boards.count(), 2);
  for (const board of await boards.all()) {
    const fen = await board.locator("svg").getAttribute("aria-label");
    assert.equal(await board.locator("svg use[href^='#man-']").count(), 4, fen);
    const { width: side } = await board.locator("svg").boundingBox();
    assert.ok(side >= 200, `a board of ${side} pixels`);
    assert.match(await board.innerText(), says.toMove);
    const probe = JSON.parse(await asked(`v1/probe?fen=${fen.replaceAll(" ", "_")}`));
    const [moves] = /\d+/.exec((await board.innerText()).replace(/^[^:]*:/, ""));
    assert.equal(Number(moves), probe.dtm, fen);
    const line = JSON.parse(await asked(`v1/line?fen=${fen.replaceAll(" ", "_")}`));
    assert.deepEqual(await played(board), line.moves.map(({ san }) => spoken(san, language)), fen);
    const [here, there] = await board.locator("a").evaluateAll((links) => links.map(({ href }) => href));
    assert.equal(there, `https://www.pychess.org/analysis/makruk?fen=${fen.replaceAll(" ", "_")}`);
    assert.equal(new URL(here).pathname + new URL(here).search, `/?fen=${fen.replaceAll(" ", "_")}&rules=makruk`);
    assert.equal(await board.locator("a").first().evaluate((link) => link.pathname + link.search), `/?fen=${fen.replaceAll(" ", "_")}&rules=makruk`);
  }
  await clean(page, `${name}: an ending`);
  await page.screenshot({ path: path.join(shots, `ending-${name}.png`), fullPage: true });
}

/** The moves in a figure, without numbers and counted numbers. */
const played = (figure) => figure.locator(".moves").evaluate((moves) => {
  const text = [...moves.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent).join(" ");
  return text.split(/\s+/).filter(Boolean);
});

/** Promotions that come too early: shares as in the study, and a worked position as the tables have it. */
async function early(page, language, material) {
  const says = SAYS[language];
  await page.goto(`${address}endings/${says.folder}${material}.html`);
  const { promotions } = report.get(material).promotion;
  const sentences = await page.locator(".early").allInnerTexts();
  const told = promotions.filter(({ possible }) => possible > 0);
  assert.equal(sentences.length, told.length, material);
  for (const [i, scan] of told.entries()) {
    const numbers = sentences[i].replaceAll(",", "").match(/\d+(\.\d+)?/g).map(Number);
    const wanted = [scan.possible, scan.throws, scan.throws_by_count, Number(((100 * scan.throws) / scan.possible).toFixed(1))];
    for (const number of wanted) assert.ok(numbers.includes(number), `${material}: ${number} in ${sentences[i]}`);
    assert.equal(sentences[i].includes(String(scan.waits.most_moves)), true, sentences[i]);
  }
  for (const figure of await page.locator(".early + .boards figure").all()) {
    const fen = await figure.locator("svg").getAttribute("aria-label");
    const at = `fen=${fen.replaceAll(" ", "_")}`;
    const answer = JSON.parse(await asked(`v1/probe?${at}`));
    assert.equal(answer.category, "win", fen);
    const words = await figure.innerText();
    const promotion = answer.moves.find(({ san }) => words.includes(spoken(san, language)) && san.includes("="));
    assert.equal(promotion.category, "cursed-win", `${fen}: ${words}`);
    const [, needed, left] = says.late.exec(words).map(Number);
    const why = JSON.parse(await asked(`v1/why?${at}&move=${promotion.uci}`));
    assert.deepEqual([needed, left], [why.move.needed, why.move.left], fen);
    assert.ok(needed > left, fen);
    const line = JSON.parse(await asked(`v1/line?${at}`)).moves.map(({ san }) => spoken(san, language));
    const way = await played(figure);
    assert.ok(way.length > 0);
    assert.deepEqual(way, line.slice(0, way.length), fen);
  }
  return promotions.length;
}

/** The hardest count draws are those of the study: no mate in time, and mate in the number of moves shown. */
async function countDraws(page, language, material) {
  const draws = report.get(material).lines.filter(({ kind }) => kind === "hardest-count-draw");
  await page.goto(`${address}endings/${SAYS[language].folder}${material}.html`);
  for (const { fen, rules, moves } of draws) {
    const figure = page.locator(".records figure", { has: page.locator(`svg[aria-label="${fen}"]`) });
    assert.match(await figure.innerText(), new RegExp(`\\b${moves}\\b`), fen);
    const probe = JSON.parse(await asked(`v1/probe?fen=${fen.replaceAll(" ", "_")}&rules=${rules}`));
    assert.deepEqual([probe.category, probe.dtm], ["cursed-win", moves], fen);
    const here = await figure.locator("a").first().getAttribute("href");
    assert.ok(here.endsWith(`&rules=${rules}`), here);
  }
  return draws.length;
}

/** Each capture and promotion leads to its ending, and the chances are those of the endings' main rows. */
async function changes(page, language, material) {
  const says = SAYS[language];
  const inTime = (name) => {
    const row = report.get(name).rows.find(({ rules, winner, winner_to_move: own }) => rules === "makruk" && winner === "white" && own);
    return (100 * row.in_time) / row.legal;
  };
  await page.goto(`${address}endings/${says.folder}${material}.html`);
  const rows = await page.locator(".changes tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const promotions = rows.filter(([event]) => says.becomes.test(event));
  assert.equal(promotions.length, material.includes("P") ? 1 : 0, material);
  for (const [event, ending, wins, change] of rows) {
    const name = latin(ending, says);
    if (!report.has(name)) {
      assert.equal(Number(wins.replace(" %", "")), 0, `${material}: ${event}`);
      continue;
    }
    assert.equal(wins, percent(inTime(name), 100), `${material}: ${event}`);
    assert.equal(Number(change.replace("−", "-")), Number((inTime(name) - inTime(material)).toFixed(1)), `${material}: ${event}`);
  }
  return rows.length;
}

/** The index sorts by each column, both ways, and shows only endings with some men. */
async function list(page, language) {
  const says = SAYS[language];
  await page.goto(`${address}endings/${says.folder}`);
  const table = page.locator("table").first();
  const column = (i) => table.locator(`tbody tr > :nth-child(${i + 1})`).allInnerTexts();
  for (const i of [1, 2, 3, 4]) {
    await table.locator("thead button").nth(i).click();
    const numbers = (await column(i)).map((text) => Number(/\d+(\.\d+)?/.exec(text.replaceAll(",", ""))?.[0] ?? -1));
    assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a), `column ${i}`);
    await table.locator("thead button").nth(i).click();
    assert.deepEqual(await column(i).then((texts) => texts.length), numbers.length);
    assert.equal(await table.locator("thead th").nth(i).getAttribute("aria-sort"), "ascending");
  }
  await table.locator("thead button").first().click();
  const names = await table.locator("tbody th a").allInnerTexts();
  assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b)));
  for (const [text, holds] of [["K+S", (name) => name.includes("S")], ["s m", (name) => name.includes("S") && name.includes("M")], ["v n", (name) => name.split("v")[1].includes("N")]]) {
    const letters = says.letters.split(" ");
    await page.locator("#narrow input").fill([...text].map((man) => letters["KRNSMP".indexOf(man.toUpperCase())] ?? man).join(""));
    const all = await page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => ({ name: row.id, shown: row.checkVisibility() })));
    for (const { name, shown } of all) assert.equal(shown, holds(name), `${text}: ${name}`);
    assert.ok(all.some(({ shown }) => shown), text);
  }
}

/** A page without its picture, whose address only a server knows, from the request. */
const unpictured = (html) => html.replace(/<meta (property="og:image|name="twitter:card")[^>]*>/g, "");

/** Every page that a link leads to is there, and the static site has the same. */
async function follow() {
  const seen = new Map([["endings/index.html", null]]);
  for (const [route] of seen) {
    const html = await asked(route);
    seen.set(route, html);
    assert.equal(unpictured(html), unpictured(fs.readFileSync(path.join(site, route), "utf8")), route);
    assert.ok(!/<script(?! src=)|style=|onclick/.test(html), `${route}: nothing inline`);
    for (const [, href] of html.matchAll(/(?:href|content)="([^"#]+\.html)"/g)) {
      const { pathname } = new URL(href, `http://x/${route}`);
      if (!seen.has(pathname.slice(1))) seen.set(pathname.slice(1), null);
    }
  }
  for (const route of ["endings/XvK.html", "endings/en/index.html", "endings/th", "endings/KvKSM.html"]) {
    const { status } = await get(new URL(route, address));
    assert.equal(status, 404, route);
  }
  return seen.size;
}

async function main() {
  await notation();
  const pages = await follow();
  const { context, page } = await open(browserPath, path.join(work, "endings"), {});
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const language of Object.keys(SAYS)) await read(page, language, width);
  }
  let [scans, steps, draws] = [0, 0, 0];
  for (const [material, { promotion }] of report) {
    for (const language of Object.keys(SAYS)) {
      if (promotion) scans += await early(page, language, material);
      steps += await changes(page, language, material);
      draws += await countDraws(page, language, material);
    }
  }
  assert.ok(scans > 0, "a study of promotions");
  assert.ok(draws > 0, "a count draw");
  for (const language of Object.keys(SAYS)) await list(page, language);
  // From the explorer and back.
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const [language, { index }] of Object.entries(SAYS)) {
    await page.goto(address);
    await page.evaluate((chosen) => localStorage.setItem("sakmak-language", chosen), language);
    await page.reload();
    await quiet(page);
    await page.locator("#modes a").click();
    assert.equal(await page.locator("h1").innerText(), index);
    await page.locator(`#${ENDING} a`).click();
    await page.locator(".boards a").first().click();
    await quiet(page);
    const [ending] = (await page.locator("#ending > .quiet").innerText()).split(":");
    assert.equal(ending, ENDING);
  }
  await context.close();
  // Without scripts.
  const { context: bare, page: still } = await open(browserPath, path.join(work, "endings-bare"), { javaScriptEnabled: false });
  await still.goto(address);
  await still.locator("noscript a").first().click();
  await still.locator(`#${ENDING} a`).click();
  assert.equal(await still.locator("h1").textContent(), SAYS.en.name);
  await bare.close();
  // From a plain web server.
  const { server, address: plain } = await files.serve(site);
  const response = await get(new URL(`endings/${ENDING}.html`, plain));
  assert.equal(response.status, 200);
  server.close();
  console.log(`${pages} pages about endings, axe: 0 violations, complete without scripts; ${scans} studies of promotions, ${draws} count draws and ${steps} captures and promotions as in the report of study, in two languages`);
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
