// Learning: how the count works, the men, practice and puzzles, at two widths, in both languages, by mouse, by
// touch and by keys alone; axe finds nothing on the way. Then games and puzzles in numbers: the page's account
// of a game is that of `annotate`, and a puzzle takes exactly the moves that the tables take.
//
//   node learn.js BROWSER WORK ADDRESS SHOTS GAMES PUZZLES [all]
//
// Without `all` each language, width and hand is tried with one or two of the others.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const { open, quiet, tabTo } = require("./browse.js");
const { HANDS } = require("./hands.js");
const { get } = require("./proxy.js");
const { one } = require("./random.js");

const [browserPath, work, address, shots, games, puzzles, all] = process.argv.slice(2);
const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";
const POINTS = { win: 1, loss: -1 };
const points = (category) => POINTS[category] ?? 0;

const fenOf = (page) => page.locator("#fen").inputValue();
const text = (page, selector) => page.locator(selector).innerText();
async function asked(route, options) {
  const { status, bytes } = await get(new URL(route, address), options);
  assert.equal(status, 200, route);
  return bytes.toString();
}
const probed = async (fen) => JSON.parse(await asked(`v1/probe?fen=${fen.replaceAll(" ", "_")}`));
const isShown = (page, selector) => page.locator(selector).first().isVisible();

async function clean(page, name) {
  if (!await page.evaluate(() => "axe" in window)) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  assert.deepEqual(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`)), [], name);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${name}: ${wide} pixels too wide`);
}

/** The words of a language that this test looks for. */
const SAYS = {
  en: { lesson: /Black has only its king[^]*4 men[^]*number is 5[^]*44/, wins: /White wins/, drawn: /Drawn by the count/, khun: /king \(ขุน khun/, solved: "Solved.", theme: "promote or wait?" },
  th: { lesson: /ฝ่ายดำเหลือแต่ขุน[^]*4 ตัว[^]*ที่ 5[^]*44/, wins: /ฝ่ายขาวชนะ/, drawn: /เสมอเพราะครบศักดิ์/, khun: /^ขุน/, solved: "แก้ได้แล้ว", theme: "หงายหรือรอ?" },
};

async function visit(page, fen = START) {
  await page.goto(`${address}?fen=${fen.replaceAll(" ", "_")}`);
  await quiet(page);
}

/** The lesson on the count in three steps, the legend of the men, and the notes of words. */
async function lesson(page, hand, language, name) {
  const says = SAYS[language];
  await visit(page);
  const box = await page.locator("#tagline").boundingBox();
  assert.ok(box.y + box.height < 844 && (await text(page, "#tagline")).length > 40, "a sentence above the fold says what this is");
  assert.ok(await isShown(page, "#strip b"), "the side to move");
  await hand.press("button[data-mode=lesson]");
  await quiet(page);
  assert.match(await text(page, "#lesson .words"), says.lesson);
  await hand.press("[data-do=lesson-next]");
  await hand.press("[data-do=watch]");
  await page.waitForFunction(() => document.querySelectorAll("#line .ply").length === 6 && document.querySelector("#strip .said").innerText.includes("7"), null, { timeout: 30_000 });
  await page.waitForFunction(() => !document.querySelector("[data-do=watch]").hasAttribute("aria-disabled"));
  await hand.press("[data-do=lesson-next]");
  await quiet(page);
  assert.equal(await fenOf(page), START);
  await hand.press("[data-do=lesson-drawn]");
  assert.match(await text(page, "#verdict .sentence"), says.drawn);
  await hand.press("[data-do=lesson-won]");
  assert.match(await text(page, "#verdict .sentence"), says.wins);
  await clean(page, `${name}: lesson`);
  await page.screenshot({ path: path.join(shots, `lesson-${name}.png`) });
  await hand.press("[data-do=lesson-next]");
  assert.ok(!await isShown(page, "#lesson"));
  // From a man without moves.
  await hand.square("d5");
  await page.waitForSelector("#about-man:not([hidden])");
  assert.match(await text(page, "#about-man"), says.khun);
  await hand.press("[data-do=about]");
  assert.equal(await page.locator("#legend .piece").count(), 6);
  assert.match(await text(page, "#legend .chosen h3"), says.khun);
  for (const piece of await page.locator("#legend .piece").all()) {
    assert.ok(await piece.locator(".to, .line").count() >= 1 && (await piece.innerText()).length > 10);
  }
  await clean(page, `${name}: legend`);
  await page.screenshot({ path: path.join(shots, `legend-${name}.png`) });
  await page.keyboard.press("Escape");
  await page.waitForSelector("#legend", { state: "hidden" });
  await hand.press("#count .kind .term");
  assert.ok((await text(page, "#term-note")).length > 30);
  await clean(page, `${name}: a term`);
  await page.keyboard.press("Escape");
}

const PGN = `[White "A"]
[Variant "Makruk"]
[FEN "8/8/8/3k4/8/3K4/3R4/8 w - - 0 40"]

40. Ra2 Kc5 41. Ra1 Kd5 42. Ra4 Ke5 43. Re4+ Kd5 44. Re5+ Kxe5 1/2-1/2
`;

/** Games at the board: an example, a pasted game, the graph of the margin with its marks, arrows, undo. */
async function atTheBoard(page, hand, language, name) {
  await visit(page);
  await hand.press("button[data-mode=games]");
  await hand.press("[data-do=example]");
  await page.waitForSelector("#games button[data-ply]");
  assert.ok(await page.locator("#games .margin .course").count() === 1, "the example has a graph");
  await hand.press("[data-do=example-bia]");
  await page.waitForFunction(() => {
    const plies = document.querySelectorAll("#games button[data-ply]").length;
    return plies > 0 && plies <= 7;
  });
  await hand.press("#games > details summary");
  await page.locator("#pgn-text").fill(PGN);
  await hand.press("[data-do=read]");
  await page.waitForFunction(() => document.querySelector("#games h3")?.innerText.startsWith("A – ?"));
  const game = JSON.parse((await asked("v1/annotate?format=json", { method: "POST", body: PGN, headers: { Accept: "application/json", "Content-Length": Buffer.byteLength(PGN) } })).split("\n")[0]);
  const points = await page.locator("#games .margin .hit").evaluateAll((hits) => hits.map((hit) => Number(hit.dataset.marginPly)));
  assert.deepEqual(points, game.positions.flatMap(({ known }, ply) => (known?.dtm !== null && known?.count ? [ply] : [])));
  assert.equal(await page.locator("#games .margin .mistake").count(), game.mistakes.length);
  // A point of the graph shows its position, and the arrow keys go on from there.
  const [wrong] = game.mistakes;
  await tabTo(page, "#games .margin .hit[tabindex='0']");
  for (let i = 0; i < points.indexOf(wrong); i += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await quiet(page);
  assert.equal(await fenOf(page), game.positions[wrong].fen);
  assert.equal(await page.locator("#games [aria-current=true]").getAttribute("data-ply"), String(wrong));
  await hand.press("[data-do=back]");
  await quiet(page);
  assert.equal(await fenOf(page), game.positions[wrong - 1].fen);
  // The move that should have been played; undo restores the game.
  const { moves } = await probed(game.positions[wrong - 1].fen);
  await hand.move(moves[0].uci);
  assert.notEqual(await fenOf(page), game.positions[wrong].fen);
  // The game is now a variation, and can be taken up again.
  assert.equal(await page.locator("#line .variations button").count(), 1);
  await hand.press("#line .variations button");
  await quiet(page);
  assert.equal(await fenOf(page), game.positions[wrong].fen);
  assert.equal(await page.locator("#line .ply").count(), game.positions.length - 1);
  await hand.press("[data-do=undo]");
  await quiet(page);
  assert.equal(await page.locator("#line .ply").count(), game.positions.length - 1);
  await clean(page, `${name}: a game`);
  await page.screenshot({ path: path.join(shots, `game-${name}.png`), fullPage: true });
}

/** Waits for the player's turn or the end of the game. */
const turn = (page) => page.waitForFunction(() => {
  const { task } = document.body.dataset;
  return !document.querySelector("main").hasAttribute("aria-busy") && ["mine", "over", "refuted"].includes(task);
}, null, { timeout: 60_000 });
const phase = (page) => page.evaluate(() => document.body.dataset.task);

/** Plays a game against the tables to its end: the best move with a given probability, else any. Returns its moves. */
async function playOut(page, hand, best) {
  for (let i = 0; i < 200; i += 1) {
    await turn(page);
    if (await phase(page) === "over") return;
    const { moves } = await probed(await fenOf(page));
    const { uci } = Math.random() < best ? moves[0] : one(moves);
    await hand.move(uci);
  }
  assert.fail("the game does not end");
}

/** The page's account of the game equals that of `annotate`. */
async function account(page) {
  await page.waitForSelector("#practice .account:not([hidden])");
  const shown = await page.locator("#practice .account li").evaluateAll((items) => items.map((item) => Number(item.dataset.place)).filter(Boolean));
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-do=pgn]").click()]);
  const pgn = fs.readFileSync(await download.path(), "utf8");
  const [line] = (await asked("v1/annotate?format=json", { method: "POST", body: pgn, headers: { Accept: "application/json", "Content-Length": Buffer.byteLength(pgn) } })).split("\n");
  assert.deepEqual(shown, JSON.parse(line).mistakes, pgn);
  return shown.length;
}

/** Practice: verdicts stay hidden until requested, the page announces the count, and the end shows the account. */
async function practice(page, hand, language, name) {
  await visit(page);
  await hand.press("button[data-mode=practice]");
  await clean(page, `${name}: practice`);
  await hand.check("input[name=task][value=win]");
  await hand.choose("#practice label:not([hidden]) select", "KRvK");
  await hand.press("[data-do=start]");
  await turn(page);
  for (const selector of ["#verdict", "#sets", "#moves", "#count .sentence", "#ending", "[data-do=best]"]) assert.ok(!await isShown(page, selector), `${selector} is hidden`);
  assert.ok(!SAYS[language].wins.test(await page.title()), "the title does not tell");
  await hand.press("[data-do=hint]");
  assert.ok(await isShown(page, "#moves"), "verdicts that were asked for");
  const fen = await fenOf(page);
  const { moves } = await probed(fen);
  await hand.move(moves[0].uci);
  await turn(page);
  // Mate at once ends the game, and the verdicts are shown.
  if (await phase(page) !== "over") {
    assert.ok(!await isShown(page, "#moves"), "and hidden again");
    assert.match(await text(page, "#strip .said"), /\d/, "the number that the tables said");
    await hand.press("[data-do=takeBack]");
    await quiet(page);
    assert.equal(await fenOf(page), fen);
    // The same move gets the same reply again; then the worst move throws the win away.
    await hand.move(moves[0].uci);
    await turn(page);
    await hand.press("[data-do=takeBack]");
    await quiet(page);
    await hand.move(moves.at(-1).uci);
  }
  await playOut(page, hand, 1);
  await clean(page, `${name}: the end`);
  await page.screenshot({ path: path.join(shots, `practice-${name}.png`), fullPage: true });
  const wrong = await account(page);
  if (wrong > 0) {
    await hand.press("#practice .account li:first-child button");
    await turn(page);
    assert.equal(await phase(page), "mine", "it is tried again");
  }
}

/** A puzzle: a wrong move is refuted and taken back, right moves lead to the end. */
async function puzzle(page, hand, language, name) {
  await visit(page);
  await hand.press("button[data-mode=puzzles]");
  await hand.choose("#puzzles select:first-child", "KSMvK");
  await hand.press("[data-do=next-puzzle]");
  await turn(page);
  await clean(page, `${name}: a puzzle`);
  await solve(page, hand, 1);
  assert.equal((await text(page, "#puzzles .said")).trim(), SAYS[language].solved);
  await clean(page, `${name}: solved`);
  // One about promotion.
  await hand.choose("#puzzles select:first-child", "KSPvK");
  await hand.choose("#puzzle-theme", "promote-or-wait");
  await hand.press("[data-do=next-puzzle]");
  await page.waitForFunction(() => document.querySelector("#fen").value.includes("P") && document.body.dataset.task === "mine", null, { timeout: 60_000 });
  const asked = await text(page, "#puzzles .about");
  assert.ok(asked.includes(SAYS[language].theme), asked);
  await clean(page, `${name}: a puzzle about promotion`);
  await solve(page, hand, 0);
  await page.screenshot({ path: path.join(shots, `puzzle-${name}.png`) });
}

/** The puzzle of the day is the same at each visit; solved, it counts once, and the result can be copied. */
async function daily(page, hand) {
  await page.evaluate(() => ["daily", "solved"].forEach((key) => localStorage.removeItem(`sakmak-${key}`)));
  const fens = [];
  for (let i = 0; i < 2; i += 1) {
    await visit(page);
    await hand.press("button[data-mode=puzzles]");
    await hand.press("[data-do=daily]");
    await turn(page);
    fens.push(await fenOf(page));
  }
  assert.equal(fens[0], fens[1]);
  await solve(page, hand, 0);
  const date = await page.evaluate(() => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10));
  assert.ok(await isShown(page, ".day .small"), "a result to copy");
  await page.evaluate(() => { navigator.clipboard.writeText = (words) => { window.copied = words; return Promise.resolve(); }; });
  await hand.press(".day .small");
  const copied = await page.evaluate(() => window.copied);
  assert.ok(copied.includes(date) && copied.includes("●") && copied.includes(address), copied);
  for (let i = 0; i < 2; i += 1) {
    assert.match(await text(page, "#puzzles .day"), /\b1\b/, "one day in a row");
    assert.match(await text(page, "#puzzles .progress"), /K\w+vK\w* 1/);
    await page.reload();
    await quiet(page);
  }
}

/** Solves the puzzle on the board, with a wrong move before a right one at the rate of `wrong`. */
async function solve(page, hand, wrong) {
  const goal = await page.evaluate(() => document.querySelector("#puzzles").dataset.goal);
  for (let i = 0; i < 60; i += 1) {
    await turn(page);
    if (await phase(page) === "over") return;
    const fen = await fenOf(page);
    const { moves } = await probed(fen);
    const right = moves.filter((move) => points(move.category) >= (goal === "win" ? 1 : 0));
    assert.equal(right.length, 1, fen);
    const others = moves.filter((move) => move !== right[0]);
    if (Math.random() < wrong && others.length) {
      await hand.move(one(others).uci);
      await turn(page);
      assert.equal(await phase(page), "refuted", fen);
      assert.ok(await isShown(page, "[data-do=retry]"));
      await hand.press("[data-do=retry]");
      await turn(page);
      assert.equal(await fenOf(page), fen, "back to the question");
    }
    await hand.move(right[0].uci);
  }
  assert.fail("the puzzle does not end");
}

async function main() {
  const tries = [];
  for (const width of [390, 1280]) {
    for (const language of ["en", "th"]) {
      for (const name of Object.keys(HANDS)) tries.push({ width, language, name });
    }
  }
  const short = ["390-th-touch", "1280-en-keys", "390-en-mouse"];
  const some = tries.filter(({ width, language, name }) => all || short.includes(`${width}-${language}-${name}`));
  const { context, page, faults } = await open(browserPath, path.join(work, "learn"), { hasTouch: true });
  await page.addInitScript(() => localStorage.setItem("sakmak-pause", "20"));
  await visit(page);
  for (const { width, language, name } of some) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((chosen) => localStorage.setItem("sakmak-language", chosen), language);
    const hand = new HANDS[name](page);
    const which = `${width}-${language}-${name}`;
    await lesson(page, hand, language, which);
    await practice(page, hand, language, which);
    await puzzle(page, hand, language, which);
    await daily(page, hand);
    await atTheBoard(page, hand, language, which);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.evaluate(() => localStorage.setItem("sakmak-language", "en"));
  const hand = new HANDS.mouse(page);
  let mistakes = 0;
  for (let i = 0; i < Number(games); i += 1) {
    await visit(page);
    await hand.press("button[data-mode=practice]");
    await hand.check(`input[name=task][value=${one(["win", "hold", "drill"])}]`);
    await hand.choose("#practice label:not([hidden]) select", one(["KRvK", "KRNvK", "KRSvK", "KRMvK"]));
    await hand.press("[data-do=start]");
    await playOut(page, hand, 0.9);
    mistakes += await account(page);
  }
  let solved = 0;
  await visit(page);
  await hand.press("button[data-mode=puzzles]");
  for (let i = 0; i < Number(puzzles); i += 1) {
    await page.locator("#puzzles select").first().selectOption(one(["KSMvK", "KNSvK", "KRvK", "KSSvK", "KRvKN"]));
    await hand.press("[data-do=next-puzzle]");
    await page.waitForFunction(() => document.body.dataset.task === "mine" || !document.querySelector("#puzzles .problem").hidden, null, { timeout: 60_000 });
    if (await isShown(page, "#puzzles .problem")) continue;
    await solve(page, hand, 0.3);
    solved += 1;
  }
  assert.deepEqual(faults, []);
  await context.close();
  console.log(`${some.length} ways to learn, axe: 0 violations; ${games} games against the tables with ${mistakes} mistakes, as annotate has them; ${solved} puzzles take the moves that the tables take`);
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
