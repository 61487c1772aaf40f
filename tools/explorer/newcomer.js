// A newcomer's tasks: find out whether a position is won at a number, play it out, solve a puzzle, load a game and find
// its mistake, in both languages at two widths. Checks that each answer stands where one looks for it.
//
//   node newcomer.js BROWSER WORK ADDRESS
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const { open, quiet } = require("./browse.js");
const { HANDS } = require("./hands.js");
const { get } = require("./proxy.js");

const [browserPath, work, address] = process.argv.slice(2);
const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";

const SAYS = {
  en: {
    wins: /White wins: mate in 26/, drawn: /^Drawn by the count: White could mate in/, late: /^You are White: mate comes too late/,
    out: /^You are Black: hold out until the count is over/, played: /^The tables played K.*\. Your move\.$/, thrown: /throws the (win|draw) away/,
    needs: /has \d+ moves and needs \d+\.$/, game: "A game 1/2-1/2",
  },
  th: {
    wins: /ฝ่ายขาวชนะ: จนใน 26/, drawn: /^เสมอเพราะครบศักดิ์/, late: /^คุณคือฝ่ายขาว: ไล่ไม่ทันศักดิ์/,
    out: /^คุณคือฝ่ายดำ: หนีให้ครบศักดิ์/, played: /^โปรแกรมเดิน .*ตาคุณเดิน$/, thrown: /เสียโอกาส(ชนะ|เสมอ)/,
    needs: /ต้องใช้ \d+$/, game: "เกมหมากรุก 1/2-1/2",
  },
};

const text = async (page, selector) => (await page.locator(selector).innerText()).trim();
const fenOf = (page) => page.locator("#fen").inputValue();
const asked = async (route) => (await get(new URL(route, address))).bytes.toString();
const probed = async (fen) => JSON.parse(await asked(`v1/probe?fen=${fen.replaceAll(" ", "_")}`));
const task = (page, ...phases) => page.waitForFunction((wanted) => !document.querySelector("main").hasAttribute("aria-busy") && wanted.includes(document.body.dataset.task), phases, { timeout: 60_000 });

async function visit(page, fen = START) {
  await page.goto(`${address}?fen=${fen.replaceAll(" ", "_")}`);
  await quiet(page);
}

/** True if all of an element is in the window. */
const inWindow = (page, selector) => page.locator(selector).first().evaluate((element) => {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && top >= -1 && bottom <= innerHeight + 1;
});

/** The verdict is above the fold, and changes with the number. */
async function lookUp(page, says) {
  await visit(page, "8/8/8/3k4/R7/3K4/8/8 w - 32 10 42");
  const high = await page.locator("#moves tbody th button").evaluateAll((moves) => moves.filter((move) => move.offsetHeight > 36).map((move) => move.innerText));
  assert.deepEqual(high, [], "a move is one word");
  await visit(page);
  assert.ok(await inWindow(page, "#verdict .sentence"), "the verdict is above the fold");
  assert.match(await text(page, "#verdict .sentence"), says.wins);
  for (let i = 0; i < 17; i += 1) await page.locator("#count .step").last().click();
  await quiet(page);
  assert.equal(await text(page, "#count .big"), "20");
  assert.match(await text(page, "#verdict .sentence"), says.drawn);
}

/** The position on the board is played out, unless something else is chosen; nothing beside it leads away. */
async function playOut(page, hand, says) {
  const fen = await fenOf(page);
  await page.locator("button[data-mode=practice]").click();
  assert.ok(await page.locator("input[name=task][value=board]").isChecked());
  await page.locator("[data-do=start]").click();
  await task(page, "mine");
  assert.equal(await fenOf(page), fen, "with its number");
  assert.match(await text(page, "#practice .sentence"), says.late);
  for (const away of ["setUp", "undo"]) assert.ok(!await page.locator(`#tools [data-do=${away}]`).isVisible(), away);
  for (const seen of ["#board", "#practice .said"]) assert.ok(await inWindow(page, seen), `${seen} is in the window`);
  await hand.move((await probed(fen)).moves[0].uci);
  await task(page, "mine");
  assert.match(await text(page, "#practice .said"), says.played);
  await page.locator("[data-do=giveUp]").click();
  const items = page.locator("#practice .account li");
  assert.equal(await items.count(), 1);
  assert.equal(await items.evaluate((item) => getComputedStyle(item).listStyleType), "none", "one sentence is no list");
  assert.ok(await page.locator("[data-do=setUp]").isVisible());
  // The other side of the same position.
  await visit(page, fen);
  await page.locator("button[data-mode=practice]").click();
  await page.locator("#practice label:not([hidden]) select").selectOption("b");
  await page.locator("[data-do=start]").click();
  await task(page, "mine");
  assert.match(await text(page, "#practice .sentence"), says.out);
}

/** A puzzle stands beside its board; a wrong move is named with what it costs and the reply. */
async function puzzle(page, hand, says) {
  await visit(page);
  await page.locator("button[data-mode=puzzles]").click();
  await page.locator("#puzzles select").first().selectOption("KSMvK");
  await page.locator("#puzzles select").nth(2).selectOption("white");
  await page.locator("[data-do=next-puzzle]").click();
  await task(page, "mine");
  for (const seen of ["#board", "#puzzles .sentence", "#puzzles .said"]) assert.ok(await inWindow(page, seen), `${seen} is in the window`);
  const { moves } = await probed(await fenOf(page));
  await hand.move(moves.at(-1).uci);
  await task(page, "refuted");
  assert.match(await text(page, "#puzzles .said"), says.thrown);
  assert.ok(await inWindow(page, "#puzzles .said"), "the refutation is in the window");
  // A capture has led to another ending.
  assert.equal(await page.locator("#puzzles select").first().inputValue(), "KSMvK");
  // A move that only loses time.
  const late = moves.find((move) => move.category === "cursed-win");
  if (!late) return;
  await page.locator("[data-do=retry]").click();
  await task(page, "mine");
  await hand.move(late.uci);
  await task(page, "refuted");
  assert.match(await text(page, "#puzzles .said"), says.needs);
}

/** A game shows its mistake on the board and in the list, and the list follows the board. */
async function game(page, says) {
  await visit(page);
  await page.locator("button[data-mode=games]").click();
  await page.locator("[data-do=example]").click();
  await page.waitForSelector("#games [aria-current=true]");
  await quiet(page);
  assert.ok(await page.locator("#games [aria-current=true]").evaluate((move) => move.classList.contains("wrong")));
  assert.match(await text(page, "#verdict .sentence"), says.drawn);
  assert.equal(await text(page, "#games .game > h3"), says.game, "without question marks");
  assert.equal(await page.locator("[data-do=example-real]").isVisible(), (await asked("v1/endings")).includes("KNMMvK"));
  const pgn = (await asked(`v1/line.pgn?fen=${START.replaceAll(" ", "_")}`)).replace(/\[Date "[^"]*"\]/, "[Date \"2026.??.??\"]");
  await page.locator("#games > details summary").click();
  await page.locator("#pgn-text").fill(pgn);
  await page.locator("[data-do=read]").click();
  await page.waitForFunction(() => document.querySelectorAll("#games button[data-ply]").length > 40);
  await quiet(page);
  assert.equal((await fenOf(page)).split(" ")[0], START.split(" ")[0], "a game without a mistake begins where the tables know it");
  await page.locator("[data-do=last]").click();
  await quiet(page);
  assert.ok(await page.locator("#games [aria-current=true]").evaluate((move) => {
    const [list, { top, bottom }] = [move.closest(".plies").getBoundingClientRect(), move.getBoundingClientRect()];
    return top >= list.top - 1 && bottom <= list.bottom + 1;
  }), "the list shows the move on the board");
  assert.ok(!(await text(page, "#games .game > .quiet")).includes("?"), "unknown parts of a date are left out");
}

async function main() {
  const { context, page, faults } = await open(browserPath, path.join(work, "newcomer"), { locale: "en-GB" });
  await page.addInitScript(() => localStorage.setItem("sakmak-pause", "20"));
  await visit(page);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const [language, says] of Object.entries(SAYS)) {
      await page.evaluate(() => localStorage.removeItem("sakmak-language"));
      await visit(page);
      await page.locator("#language").selectOption(language);
      const hand = new HANDS.mouse(page);
      const parts = { lookUp: () => lookUp(page, says), playOut: () => playOut(page, hand, says), puzzle: () => puzzle(page, hand, says), game: () => game(page, says) };
      for (const [name, part] of Object.entries(parts)) {
        await part().catch((error) => {
          throw new Error(`${width}-${language}-${name}`, { cause: error });
        });
        assert.equal(await page.getAttribute("html", "lang"), language);
      }
    }
  }
  assert.deepEqual(faults, []);
  await context.close();
  console.log("a newcomer's tasks, at two widths in two languages");
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
