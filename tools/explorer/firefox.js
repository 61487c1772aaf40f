// The page in Firefox: at two widths and in both languages the count explained, a game against the tables, a
// puzzle, a game at the board, the index of endings, and the language itself, by mouse, by touch and by keys alone.
//
//   node firefox.js FIREFOX ADDRESS SHOTS [all]
//
// Without `all` each language, width and hand is tried with one or two of the others.
//
// Drives the Firefox of the system over WebDriver BiDi.
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const { _bidiFirefox: firefox } = require("playwright-core");
const { quiet } = require("./browse.js");
const { HANDS } = require("./hands.js");
const { get } = require("./proxy.js");

const [browserPath, address, shots, all] = process.argv.slice(2);
const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";

/** What a language says where this test looks. */
const SAYS = {
  en: { folder: "", tagline: /Makruk endgames/, lesson: /Black has only its king/, wins: /White wins/, right: /Right|Solved/, endings: "Endings" },
  th: { folder: "th/", tagline: /ปลายกระดาน/, lesson: /ฝ่ายดำเหลือแต่ขุน/, wins: /ฝ่ายขาวชนะ/, right: /ถูกต้อง|แก้ได้/, endings: "ชุดปลายกระดาน" },
};

const text = (page, selector) => page.locator(selector).innerText();
const fenOf = (page) => page.locator("#fen").inputValue();
async function best(page) {
  const { bytes } = await get(new URL(`v1/probe?fen=${(await fenOf(page)).replaceAll(" ", "_")}`, address));
  return JSON.parse(bytes.toString()).moves[0].uci;
}
const turn = (page) => page.waitForFunction(() => !document.querySelector("main").hasAttribute("aria-busy") && ["mine", "over"].includes(document.body.dataset.task), null, { timeout: 60_000 });

async function visit(page) {
  await page.goto(`${address}?fen=${START.replaceAll(" ", "_")}`);
  await quiet(page);
}

/** The parts of the page, each by its point. */
const PARTS = {
  async explore(page, hand, says) {
    assert.match(await text(page, "#tagline"), says.tagline);
    assert.match(await text(page, "#verdict .sentence"), says.wins);
    const uci = await best(page);
    await hand.move(uci);
    assert.equal(await page.locator("#line .ply").count(), 1, uci);
  },
  async lesson(page, hand, says) {
    await hand.press("button[data-mode=lesson]");
    await quiet(page);
    assert.match(await text(page, "#lesson .words"), says.lesson);
    await hand.press("[data-do=legend]");
    assert.equal(await page.locator("#legend .piece").count(), 6);
    await page.keyboard.press("Escape");
  },
  async practice(page, hand) {
    await hand.press("button[data-mode=practice]");
    await hand.check("input[name=task][value=board]");
    await hand.press("[data-do=start]");
    await turn(page);
    assert.ok(!await page.locator("#moves").isVisible(), "verdicts are hidden");
    await hand.move(await best(page));
    await turn(page);
    assert.equal(await page.locator("#line .ply").count(), 2, "the tables have answered");
    assert.match(await text(page, "#strip .said"), /5/, "and counted");
  },
  async puzzle(page, hand, says) {
    await hand.press("button[data-mode=puzzles]");
    await hand.choose("#puzzles select:first-child", "KSMvK");
    await hand.press("[data-do=next-puzzle]");
    await turn(page);
    await hand.move(await best(page));
    await page.waitForFunction((right) => new RegExp(right).test(document.querySelector("#puzzles .said").innerText), says.right.source, { timeout: 60_000 });
  },
  async games(page, hand) {
    await hand.press("button[data-mode=games]");
    await hand.press("[data-do=example]");
    await page.waitForSelector("#games button[data-ply]");
    assert.equal(await page.locator("#games .margin .course").count(), 1, "the graph");
  },
  async endings(page, hand, says) {
    await hand.press("[data-do=endings]");
    await page.waitForURL(`**/endings/${says.folder}index.html`);
    assert.equal(await text(page, "h1"), says.endings);
    await hand.press("#KSMvK a");
    await page.waitForURL(`**/endings/${says.folder}KSMvK.html`);
    // The two longest wins and the hardest count draw.
    assert.equal(await page.locator(".boards svg").count(), 3);
  },
};

/** Playwright's own tap does nothing in Firefox, so a finger touches the page by WebDriver's actions. */
function giveFinger(page) {
  const touchscreen = page._connection.toImpl(page).delegate.rawTouchscreen;
  const session = touchscreen._session;
  touchscreen.tap = (progress, x, y) => progress.race(session.send("input.performActions", {
    context: session.sessionId,
    actions: [{
      type: "pointer", id: "finger", parameters: { pointerType: "touch" },
      actions: [{ type: "pointerMove", x: Math.floor(x), y: Math.floor(y) }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }],
    }],
  }));
}

/** Each width with its languages and hands. */
const ROUNDS = {
  390: [["en", "touch"], ["th", "keys"], ["en", "mouse"]],
  1280: [["en", "keys"], ["th", "mouse"], ["th", "touch"]],
};
const ALL = Object.keys(SAYS).flatMap((language) => Object.keys(HANDS).map((name) => [language, name]));

async function main() {
  const browser = await firefox.launch({ executablePath: browserPath, headless: true, timeout: 120_000 });
  let parts = 0;
  for (const [width, rounds] of Object.entries(ROUNDS)) {
    const context = await browser.newContext({ viewport: { width: Number(width), height: 844 }, hasTouch: true });
    const page = await context.newPage();
    giveFinger(page);
    const faults = [];
    // Playwright puts a style of its own into the page for a screenshot, which the page's policy keeps out.
    page.on("pageerror", (error) => { if (!/style-src-elem/.test(error)) faults.push(String(error)); });
    await page.goto(address);
    for (const [language, hand] of all ? ALL : rounds) {
      const says = SAYS[language];
      await page.evaluate((chosen) => {
        localStorage.setItem("sakmak-language", chosen);
        localStorage.setItem("sakmak-pause", "20");
      }, language);
      for (const [name, part] of Object.entries(PARTS)) {
        const where = `${width}-${language}-${hand}-${name}`;
        await visit(page);
        try {
          await part(page, new HANDS[hand](page), says);
        } catch (error) {
          throw new Error(where, { cause: error });
        }
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${where}: ${wide} pixels too wide`);
        assert.equal(await page.getAttribute("html", "lang"), language);
        await page.screenshot({ path: path.join(shots, `firefox-${where}.png`) });
        parts += 1;
      }
    }
    assert.deepEqual(faults, []);
    await context.close();
  }
  await browser.close();
  console.log(`Firefox: ${parts} parts of the page, at two widths in two languages, by mouse, touch and keys`);
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
