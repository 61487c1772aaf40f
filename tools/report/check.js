// Uses the report as a reader does; needs pdftotext. Arguments: the browser, the directory of report.html,
// report.json and stats.json, and the directory for screenshots.
"use strict";
const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { chromium } = require("playwright-core");

const [browserPath, work, shots] = process.argv.slice(2);
const read = (name) => JSON.parse(fs.readFileSync(path.join(work, name), "utf8"));
const report = `file://${path.join(work, "report.html")}`;
const args = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
];

async function main() {
  // A temporary profile: playwright makes one when given an empty name, and removes it.
  const context = await chromium.launchPersistentContext(path.join(work, "profile"), {
    executablePath: browserPath,
    args,
    viewport: { width: 1280, height: 900 },
  });
  const page = await context.newPage();
  const noise = [];
  page.on("console", (message) => noise.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error: ${error}`));
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(report);

  await sorts(page);
  await histograms(page);
  await lines(page);
  await agrees(page);
  await filters(page);
  await explores(page);
  await page.goto(report);
  await speaks(page);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 850 });
    await lands(page);
    await sticks(page, width);
  }
  for (const [name, width, height, scheme] of [
    ["desktop", 1280, 900, "light"],
    ["desktop-dark", 1280, 900, "dark"],
    ["phone", 390, 844, "light"],
    ["phone-dark", 390, 844, "dark"],
    ["print", 720, 1040, "light"],
  ]) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme, media: name === "print" ? "print" : "screen" });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${name}: the page is ${wide} pixels too wide`);
    for (const [place, selector] of [["top", "h1"], ["overview", "#overview"], ["decides", "#tables"], ["ending", "#KSMvK"], ["both", "#KRvKN"]]) {
      await page.goto(report);
      await page.locator(selector).evaluate((element) => element.scrollIntoView({ behavior: "instant" }));
      await page.waitForTimeout(150);
      await page.screenshot({ path: path.join(shots, `${name}-${place}.png`) });
    }
  }
  await prints(page);

  assert.deepEqual(noise, [], "the console is silent");
  const elsewhere = asked.filter((url) => url !== report && !url.startsWith("data:") && !url.startsWith(`${report}#`));
  assert.deepEqual(elsewhere, [], "nothing is loaded");
  await context.close();
  console.log("the report can be read, sorted and printed");
}

const column = (page, name) => page.evaluate((name) => {
  const table = document.querySelector("#all");
  const i = [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent === name);
  return [...table.tBodies[0].rows].map((row) => row.cells[i].textContent);
}, name);

// A click on a heading sorts; a second click reverses the order.
async function sorts(page) {
  const numbers = async (name) => (await column(page, name)).filter((cell) => cell !== "-")
    .map((cell) => (cell.startsWith("<") ? 0.005 : Number(cell.replace(/≥| h$/g, ""))));
  const head = page.locator("#all thead button", { hasText: "longest" });
  const before = await numbers("longest");
  await head.click();
  const falling = await numbers("longest");
  assert.notDeepEqual(falling, before, "the order changes");
  assert.deepEqual(falling, [...before].sort((a, b) => b - a), "the longest first");
  await head.click();
  assert.deepEqual(await numbers("longest"), [...before].sort((a, b) => a - b), "the shortest first");
  await page.locator("#all thead button", { hasText: "ending" }).click();
  const names = await column(page, "ending");
  assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b)), "by name");
  assert.equal(await page.locator("#all thead th[aria-sort]").count(), 1);
}

// One bar for each distance, with the count's limit between those in time and those too late.
async function histograms(page) {
  const stats = read("stats.json");
  const wins = stats.white_to_move.white_wins;
  const available = stats.rules[0].moves_available.white_to_move;
  const bars = (from, to) => wins.slice(from, to).filter((n) => n > 0).length;
  const chart = page.locator("#KSMvK .histogram");
  assert.equal(await chart.locator("rect.bar").count(), bars(0, available + 1));
  assert.equal(await chart.locator("rect.late").count(), bars(available + 1));
  assert.ok(await chart.locator("rect.late").count() > 0);
  const title = await chart.locator("rect.bar title").nth(9).textContent();
  const moves = Number(title.match(/in (\d+)/)[1]);
  assert.ok(title.includes(wins[moves].toLocaleString("en")), title);
  const heights = () => chart.locator("rect.bar").evaluateAll((all) => all.map((bar) => bar.getAttribute("height")));
  const plain = await heights();
  const scale = page.locator("#KSMvK button.scale");
  await scale.click();
  assert.notDeepEqual(await heights(), plain, "the other scale");
  await scale.click();
  assert.deepEqual(await heights(), plain, "and back");
}

// A link in the overview opens the row that it leads to.
async function lines(page) {
  const link = page.locator('#all a[href="#KSMvK-white-hardest-win"]');
  await link.click();
  const line = page.locator("#KSMvK-white-hardest-win details");
  await assert.doesNotReject(line.locator("p.moves").waitFor({ state: "visible", timeout: 5000 }));
  assert.match(await line.locator("p.moves").textContent(), /#/);
  await page.goto(report);
}

// The page agrees with the JSON document.
async function agrees(page) {
  const { endings } = read("report.json");
  const rows = endings.flatMap((ending) => ending.rows)
    .filter((row) => row.rules === "makruk" && row.winner_to_move);
  const shown = await column(page, "in time");
  const names = await column(page, "ending");
  assert.equal(shown.length, rows.length);
  rows.forEach(({ material, in_time, legal }, i) => {
    assert.equal(names[i], material);
    const percent = (100 * in_time) / legal;
    const least = percent > 0 && percent < 0.01 ? "<0.01" : Math.min(percent, percent < 100 ? 99.99 : 100).toFixed(2);
    assert.equal(shown[i], least, material);
  });
  assert.equal(await page.locator("article").count(), endings.length);
}

// Waits until an element has stopped moving, and returns its distance from the top.
async function settled(locator) {
  let before;
  for (let same = 0; same < 4;) {
    await locator.page().waitForTimeout(150);
    const { top } = await locator.evaluate((element) => element.getBoundingClientRect());
    same = top === before ? same + 1 : 0;
    before = top;
  }
  return before;
}

// A click on an ending shows that ending, and the link back leads to its row in the table.
async function lands(page) {
  const names = await page.locator("#all tbody th a").evaluateAll((links) => links.map((link) => link.textContent));
  const some = [...new Set(names)].filter((_, i, all) => i % Math.ceil(all.length / 12) === 0);
  for (const name of some) {
    await page.goto("about:blank");
    await page.goto(report);
    await page.locator(`#all a[href="#${name}"]`).first().click();
    const article = page.locator(`article#${name}`);
    const top = await settled(article);
    const end = await page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 2);
    assert.ok((top >= -1 && top < 60) || (end && top > 0), `${name} is ${top} pixels from the top`);
    await article.locator("a.back").click();
    const back = await settled(page.locator(`#all-${name}`));
    assert.ok(back >= 0 && back < 850, `the line of ${name} is ${back} pixels from the top`);
  }
}

// The headings of the table stay visible.
async function sticks(page, width) {
  await page.goto("about:blank");
  await page.goto(report);
  const head = page.locator("#all thead th").first();
  const box = page.locator("#all").locator("xpath=..");
  await box.evaluate((element) => element.scrollIntoView());
  if (width > 1000) {
    await page.mouse.wheel(0, 600);
    assert.ok(Math.abs(await settled(head)) <= 1, "the headings stick to the window");
  } else {
    await box.evaluate((element) => { element.scrollTop = 300; });
    const frame = await settled(box);
    assert.ok(Math.abs(await settled(head) - frame) <= 2, "the headings stick to the box");
  }
}

// The filter narrows the table and the sections.
async function filters(page) {
  const rows = page.locator("#all tbody tr:visible");
  const all = await rows.count();
  await page.fill("#filter input[name=name]", "sm");
  assert.deepEqual(new Set(await rows.locator("th").allTextContents()), new Set(["KSMvK"]));
  assert.equal(await page.locator("article:visible").count(), 1);
  await page.click("#filter button[type=reset]");
  await page.selectOption("#filter select[name=verdict]", "beats");
  const beats = await rows.locator("td:nth-child(3)").allTextContents();
  assert.ok(beats.length > 0 && beats.length < all && beats.every((word) => word === "beats"));
  assert.match(await page.locator("#filter output").textContent(), new RegExp(`^${beats.length} of ${all}`));
  // A link to a hidden ending clears the filter.
  await page.locator("#tables a", { hasText: "KRvKN" }).first().click();
  assert.ok(await settled(page.locator("article#KRvKN")) < 60);
  assert.equal(await rows.count(), all);
}

// The page in Thai and back, without losing anything.
async function speaks(page) {
  const words = () => page.evaluate(() => document.body.innerText);
  const english = await words();
  await page.click("#language");
  assert.equal(await page.locator("html").getAttribute("lang"), "th");
  assert.equal(await page.locator("#all thead button").first().textContent(), "ปลายกระดาน");
  await page.locator("#all thead th:nth-child(3) button").click();
  assert.equal(await page.locator("#all tbody [data-word]").first().getAttribute("data-word"), "beats");
  await page.selectOption("#filter select[name=verdict]", "rarely");
  assert.ok(await page.locator("#all tbody tr:visible").count() > 0);
  await page.goto("about:blank");
  await page.goto(report);
  await page.click("#language");
  await page.click("#language");
  assert.equal(await words(), english);
}

// Each board leads to the explorer.
async function explores(page) {
  const links = await page.locator("a.explore").evaluateAll((all) => all.map((link) => link.href));
  assert.ok(links.length > 10);
  for (const link of links) {
    assert.match(link, /^http:\/\/localhost:9\/\?fen=[1-8KRNSMkrnsm/]+_[wb]_-_-_0_1&rules=makruk$/);
  }
}

// On paper no row of a table and no heading is stranded at the end or beginning of a page, at any paper size. Each row
// and heading gets a unique mark, which is searched for in the text of the pages.
async function prints(page) {
  await page.emulateMedia({ colorScheme: "light", media: null });
  await page.goto(report);
  const rows = await page.evaluate(() => {
    const tables = [...document.querySelectorAll("table")].map((table) => [...table.tBodies].flatMap((body) => [...body.rows]));
    tables.forEach((all, i) => all.forEach((row) => row.cells[0].prepend(`§${i}§`)));
    for (const heading of document.querySelectorAll("h2, h3, h4")) heading.prepend("§h§");
    return tables.map((all) => all.length);
  });
  const alone = [];
  for (const height of ["297mm", "11in", "200mm", "215mm", "230mm", "245mm", "260mm", "270mm", "285mm"]) {
    const paper = path.join(work, "paper.pdf");
    fs.writeFileSync(paper, await page.pdf({ width: "210mm", height }));
    const text = execFileSync("pdftotext", ["-raw", paper, "-"], { encoding: "utf8", maxBuffer: 1 << 28 });
    text.split("\f").forEach((sheet, i) => {
      const marks = [...sheet.matchAll(/§(\d+)§/g)].map(([, table]) => Number(table));
      for (const table of new Set(marks)) {
        if (rows[table] > 1 && marks.filter((one) => one === table).length === 1) alone.push(`${height}, page ${i + 1}: a row of table ${table}`);
      }
      const last = sheet.trim().split("\n").at(-1);
      if (last.includes("§h§")) alone.push(`${height}, page ${i + 1}: ${last}`);
    });
  }
  assert.deepEqual(alone, [], "nothing is alone on its page");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
