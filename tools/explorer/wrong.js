// What is wrong is said beside the place where it was typed, and no card says anything: texts that are no
// FEN, positions that are none, answers that are none. And every rule of the style sheet lets `hidden` hide.
//
//   node --no-experimental-fetch wrong.js BROWSER WORK ADDRESS
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const { open, quiet, shown } = require("./browse.js");
const { run } = require("./legal.js");
const { get, proxy } = require("./proxy.js");

const [browserPath, work, address] = process.argv.slice(2);
const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";
const underscored = (fen) => encodeURIComponent(fen.replaceAll(" ", "_"));

/** Texts for the FEN field with the sentences expected; null for the sentence of the tables. */
const TEXTS = {
  markup: ["<script>alert(1)</script>", null],
  "markup in a field": [`8/8/8/3k4/8/3K4/2SM4/8 w <img src=x onerror=alert(1)>`, null],
  "ten thousand characters": ["x".repeat(10_000), /too long/],
  "ten thousand ranks": ["8/".repeat(5000), /too long/],
  binary: ["\u0000\u0001\u0002ÿþ\ufffd\u202e", null],
  "a bia that has promoted": ["8/P7/8/3k4/8/3K4/3R4/8 w - - 0 1", /White's bia on a7 .* ranks 3 to 5/],
  "a bia behind its rank": ["8/p7/8/3k4/8/3K4/3R4/8 w - - 0 1", /Black's bia on a7 .* ranks 6 to 4/],
  "a count with a bia": ["8/8/8/P2k4/8/3K4/3R4/8 w - 32 8 1", /counts nothing while a bia/],
  "touching kings": ["8/8/8/3k4/3K4/8/8/8 w - - 0 1", /king/i],
  "no kings": ["8/8/8/8/8/8/8/8 w - - 0 1", /king/i],
  "the other side in check": ["8/8/8/3k3R/8/3K4/8/8 w - - 0 1", /check/],
  "a third field that is none": ["8/8/8/3k4/8/3K4/2SM4/8 w ?? - 0 1", null],
  "a limit without a number": ["8/8/8/3k4/8/3K4/2SM4/8 w - 88", null],
  nothing: ["", null],
};

const noAnswer = (seen, name) => {
  assert.deepEqual(seen.rows, [], name);
  assert.ok(!seen.worth && seen.cards.length === 3, name);
  assert.deepEqual(seen.cards.map((card) => [card.kind, card.worth, card.detail]), Array(3).fill([null, "", "no answer"]), name);
  assert.equal(seen.said + seen.threshold + seen.left + seen.ending, "", name);
  assert.match(seen.verdict, /no answer/, name);
};

/** The distance between the edges of two elements, in pixels. */
const apart = (page, one, other) => page.evaluate(([a, b]) => {
  const [first, second] = [a, b].map((selector) => document.querySelector(selector).getBoundingClientRect());
  return Math.max(0, second.top - first.bottom, first.top - second.bottom);
}, [one, other]);

async function texts(page, base) {
  for (const [name, [text, words]] of Object.entries(TEXTS)) {
    await page.goto(`${base}?fen=${underscored(START)}`);
    await quiet(page);
    await page.locator("#fen").fill(text);
    await page.locator("#fen").press("Enter");
    await quiet(page);
    const seen = await shown(page);
    noAnswer(seen, name);
    const said = await page.locator("#fen-problem").innerText();
    assert.ok(said.length > 10 && said.length <= 420, `${name}: ${said}`);
    if (words) assert.match(said, words, name);
    else {
      const { bytes } = await get(`${address}v1/explore?fen=${underscored(text.trim())}`).catch(() => ({ bytes: null }));
      if (bytes && text) assert.ok(JSON.parse(bytes).error.message.startsWith(said.replace(/ …$/, "").slice(0, 300)), `${name}: ${said}`);
    }
    assert.ok(await apart(page, "#fen", "#fen-problem") < 30, `${name}: beside the field`);
    assert.equal(await page.locator("#problem").isVisible(), false, name);
    assert.equal(await page.locator("img, body script").count(), 0, name);
    assert.equal(await page.evaluate(() => document.activeElement.id), "fen", `${name}: the field keeps the focus`);
    // The earlier position is not lost.
    await page.locator("[data-do=undo]").click();
    await quiet(page);
    assert.equal((await shown(page)).fen, START, name);
    assert.equal((await shown(page)).worth, "win", name);
  }
}

/** Links with errors, which the board reports. */
async function links(page, base) {
  for (const query of ["fen=%3Cscript%3Ealert(1)%3C/script%3E", "fen=x", "fen=8/8/8/3k4/3K4/8/8/8_w", `fen=${"x".repeat(1900)}`, "fen=%00%ff%fe"]) {
    await page.goto(`${base}?${query}`);
    await quiet(page);
    noAnswer(await shown(page), query);
    assert.ok(await page.locator("#problem").isVisible(), query);
    assert.equal(await page.locator("#count").isVisible(), false, "no empty slider");
  }
  await page.goto(`${base}?fen=${underscored(START)}&rules=go`);
  await quiet(page);
  assert.match(await page.locator("#hint").innerText(), /unknown rule set/);
}

/** In set-up, errors are shown near the board. */
async function setUp(page, base) {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${base}?fen=${underscored(START)}`);
  await quiet(page);
  await page.locator("[data-do=setUp]").click();
  await page.locator("[data-do=clear]").click();
  await quiet(page);
  noAnswer(await shown(page), "an empty board");
  const box = await page.locator("#problem").boundingBox();
  assert.ok(box.y + box.height < 900, `the problem is at ${box.y}`);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.do), "clear", "the focus");
  await page.locator("[data-do=undo]").click();
  await quiet(page);
  assert.equal((await shown(page)).fen, START, "the board is back");
  // A search without a result says so where it was started.
  await page.locator("#editor .random select").nth(0).selectOption("KMvK");
  await page.locator("#editor .random select").nth(1).selectOption("win");
  await page.locator("[data-do=random]").click();
  await page.waitForFunction(() => /no matching position/.test(document.querySelector("#editor .problem").innerText));
  assert.equal((await shown(page)).worth, "win", "the position on the board is what it was");
  await page.locator("[data-do=setUp]").click();
}

/** The page without its embedded answers, or with `text` in place of the one about the position. */
const KNOWN = /(<script type="application\/json" id="known">)([^<]*)(<\/script>)/;
const alone = (html) => {
  assert.match(html, KNOWN);
  return html.replace(KNOWN, "");
};
const embedding = (text) => (html) => html.replace(KNOWN, (all, opened, known, closed) => {
  const address = Object.keys(JSON.parse(known)).find((key) => key.startsWith("/v1/explore"));
  return `${opened}{${JSON.stringify(address)}:${text.replaceAll("<", "\\u003c")}}${closed}`;
});

/** Malformed answers, fetched or embedded, are never shown, and are asked for again until a right one comes. */
async function answers(page, front) {
  const right = (await get(`${address}v1/explore?fen=${underscored(START)}`)).bytes.toString();
  const other = (await get(`${address}v1/explore?fen=${underscored("8/8/8/8/8/2k5/8/K6R w - - 0 1")}`)).bytes.toString();
  const without = (key) => {
    const { [key]: gone, ...rest } = JSON.parse(right);
    return JSON.stringify(rest);
  };
  const bad = {
    "cut in the middle": { text: right.slice(0, 900) },
    "cut on its way": { text: right.slice(0, 900), cut: 1000 },
    "of an older server": { text: without("rule_sets") },
    "without moves": { text: without("moves") },
    "without numbers": { text: without("numbers") },
    "with numbers that do not fit": { text: right.replace('"plies":[', '"plies":[1,') },
    "of another position": { text: other },
    "of another rule set": { text: right.replace('"rules":"makruk"', '"rules":"ouk"') },
    "of another program": { text: "<html>Bad gateway</html>", status: 502 },
    "that is no document": { text: "null" },
    "that is busy": { text: '{"error":{"kind":"busy","message":"later"}}', status: 503 },
    empty: { text: "" },
  };
  let number = 1;
  for (const [name, answer] of Object.entries(bad)) {
    const ways = {
      fetched: { page: alone, answer },
      "come with the page": { page: embedding(answer.text), answer: bad["that is busy"] },
    };
    for (const [way, behind] of Object.entries(ways)) {
      const which = `an answer ${name}, ${way}`;
      front.page = behind.page;
      front.answer = (url) => (url.startsWith("/v1/explore") ? behind.answer : null);
      // Each time a new position, since the browser keeps right answers.
      number += 1;
      await page.goto(`${front.address}?fen=${underscored(START.replace(/1$/, number))}`);
      await page.waitForSelector("#problem:not([hidden])", { timeout: 5000 }).catch(() => assert.fail(`${which} is shown`));
      noAnswer(await shown(page), which);
      front.answer = () => null;
      await quiet(page);
      assert.equal((await shown(page)).verdict, "White wins: mate in 26.", `${which}: mended by itself`);
      assert.equal(await page.locator("#problem").isVisible(), false, which);
    }
  }
  // The embedded answers may be malformed as a whole.
  for (const text of ["", "null", "[", "7"]) {
    front.page = (html) => html.replace(KNOWN, `$1${text}$3`);
    number += 1;
    await page.goto(`${front.address}?fen=${underscored(START.replace(/1$/, number))}`);
    await quiet(page);
    assert.equal((await shown(page)).verdict, "White wins: mate in 26.", `"${text}" comes with the page`);
  }
  front.page = alone;
  // A malformed answer kept by the browser is handled in the same way: the server itself is asked again.
  front.answer = (url) => (url.startsWith("/v1/explore") ? { text: without("moves"), kept: true } : null);
  await page.goto(`${front.address}?fen=${underscored(START.replace(/1$/, "99"))}`);
  await page.waitForSelector("#problem:not([hidden])");
  front.answer = () => null;
  await quiet(page);
  assert.equal((await shown(page)).worth, "win");
  // A win that takes longer than the count leaves, which ASEAN chess has, is shown with its reason.
  const late = JSON.parse(right);
  late.answer.count.moves_available = 20;
  front.answer = (url) => (url.startsWith("/v1/explore") ? { text: JSON.stringify(late) } : null);
  await page.goto(`${front.address}?fen=${underscored(START.replace(/1$/, "98"))}`);
  await quiet(page);
  assert.equal((await shown(page)).verdict, "White wins: mate in 26. The count leaves 20, but the bare king has to capture, which restarts the count of fifty moves.");
  front.answer = () => null;
  // The same for the statistics and the list of endings.
  for (const text of ["{", "null", "{}"]) {
    const wrong = new Map();
    front.answer = (url) => {
      const times = wrong.get(url) ?? 0;
      wrong.set(url, times + 1);
      return url.startsWith("/v1/endings") && times < 2 ? { text } : null;
    };
    await page.goto(`${front.address}?fen=${underscored(START)}`);
    await quiet(page);
    assert.match((await shown(page)).ending, /KSMvK/);
    front.answer = () => null;
  }
  front.page = (html) => html.replace(KNOWN, '$1{"/v1/endings":{}}$3');
  await page.goto(`${front.address}?fen=${underscored(START)}`);
  await quiet(page);
  await page.locator("[data-do=setUp]").click();
  assert.ok(await page.locator("#editor .random option[value=KSMvK]").count() > 0, "a list of endings that is none");
  front.page = null;
}

/** When the server is gone nothing stays green, and the page recovers by itself. */
async function outage(page, front) {
  await page.goto(`${front.address}?fen=${underscored(START)}`);
  await quiet(page);
  front.down = true;
  await page.locator("#moves tbody tr button").first().click();
  await page.waitForSelector("#problem:not([hidden])");
  noAnswer(await shown(page), "the server is gone");
  assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY", "the focus");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  front.down = false;
  await quiet(page);
  assert.match((await shown(page)).verdict, /mate in 25/);
}

/** A hidden element is not displayed, whatever the style sheet says of its kind. */
async function hidden(page, base) {
  await page.goto(`${base}?fen=${underscored(START)}`);
  await quiet(page);
  const still = await page.evaluate(() => {
    const found = [];
    for (const element of document.body.querySelectorAll("*")) {
      if (element.namespaceURI.endsWith("svg") || element.tagName === "OPTION") continue;
      const was = element.hidden;
      element.hidden = true;
      if (getComputedStyle(element).display !== "none") found.push(`${element.tagName} ${element.className}`);
      element.hidden = was;
    }
    return [...new Set(found)];
  });
  assert.deepEqual(still, [], "these are shown though they are hidden");
}

async function main() {
  const front = await proxy(address);
  const { context, page, faults } = await open(browserPath, path.join(work, "wrong"));
  await texts(page, front.address);
  await links(page, front.address);
  await setUp(page, front.address);
  await answers(page, front);
  await outage(page, front);
  await hidden(page, front.address);
  assert.deepEqual(faults, []);
  await context.close();
  front.close();
  console.log(`what is wrong is said where it was typed, and nothing else: ${Object.keys(TEXTS).length} texts, 12 bad answers, fetched and with the page, an outage`);
}

run(main);
