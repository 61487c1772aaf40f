// The index of endings and a page for each, without scripts: at two widths and in both languages every link
// leads somewhere, axe finds nothing, figures are those of `stats`, and the boards are those of the FEN. The
// static site has the same pages, byte for byte.
// Arguments: the browser, a directory for profiles, the server's address, the site's directory, one for screenshots.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const { open, quiet } = require("./browse.js");
const files = require("./files.js");
const { get } = require("./proxy.js");

const [browserPath, work, address, site, shots] = process.argv.slice(2);
const ENDING = "KSMvK";

/** What a language says where this test looks. */
const SAYS = {
  en: { folder: "", index: "Endings", men: "king, khon, met against king", until: /^\d+ moves to mate$/, toMove: /White to move\./ },
  th: { folder: "th/", index: "ชุดปลายกระดาน", men: "ขุน, โคน, เม็ด สู้กับ ขุน", until: /^\d+ ตาจนรุกจน$/, toMove: /ตาขาวเดิน/ },
};

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
  assert.equal(await page.locator("h1").innerText(), "K+S+M v K");
  assert.equal(await page.locator("tbody tr").count(), figures.rules.length);
  const boards = page.locator(".boards figure");
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
    assert.equal(await board.locator("a").evaluate((link) => link.pathname + link.search), `/?fen=${fen.replaceAll(" ", "_")}&rules=makruk`);
  }
  await clean(page, `${name}: an ending`);
  await page.screenshot({ path: path.join(shots, `ending-${name}.png`), fullPage: true });
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
    assert.ok(!/<script|style=|onclick/.test(html), `${route}: nothing inline`);
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
  const pages = await follow();
  const { context, page } = await open(browserPath, path.join(work, "endings"), {});
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const language of Object.keys(SAYS)) await read(page, language, width);
  }
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
  assert.equal(await still.locator("h1").textContent(), "K+S+M v K");
  await bare.close();
  // From a plain web server.
  const { server, address: plain } = await files.serve(site);
  const response = await get(new URL(`endings/${ENDING}.html`, plain));
  assert.equal(response.status, 200);
  server.close();
  console.log(`${pages} pages about endings, axe: 0 violations, complete without scripts`);
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
