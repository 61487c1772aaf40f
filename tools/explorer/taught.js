// The course, the lines that show what a move is worth, and the map of endings, as a user meets them: at 390 pixels by touch, at 1280 by mouse and
// at 1920 by keys. While a question is open nothing on the page tells its answer.
//
//   node taught.js BROWSER WORK ADDRESS SHOTS
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { open, quiet } = require("./browse.js");
const { HANDS } = require("./hands.js");
const { get } = require("./proxy.js");

const [browserPath, work, address, shots] = process.argv.slice(2);
const SIZES = [[390, 844, "touch"], [1280, 900, "mouse"], [1920, 1080, "keys"]];
const CHAPTERS = ["limit", "number", "left", "start", "capture", "board", "stop", "baring", "bia", "promote"];
const MASTERED = 5;

const text = (page, selector) => page.locator(selector).innerText();

/** Fails if something tells the answer to the open question. */
async function tellsNothing(page, where) {
  const seen = await page.evaluate(() => ({
    panels: ["verdict", "sets", "moves", "count", "promotion", "ending"].filter((id) => document.getElementById(id).checkVisibility()),
    said: document.querySelector("#said").textContent,
    strip: document.querySelector("#strip .said").checkVisibility(),
    title: document.title,
  }));
  assert.deepEqual(seen.panels, [], where);
  assert.ok(!seen.strip, where);
  assert.doesNotMatch(`${seen.said} ${seen.title}`, /wins|Draw|mate|ชนะ|เสมอ/, where);
}

async function course(page, hand, width) {
  let question;
  page.on("response", async (response) => {
    if (new URL(response.url()).pathname === "/v1/course" && response.ok()) question = await response.json();
  });
  await page.goto(address);
  await quiet(page);
  await hand.press("button[data-mode=lesson]");
  await quiet(page);
  for (const chapter of CHAPTERS) {
    const where = `${chapter} at ${width}`;
    question = null;
    await hand.press(`[data-chapter=${chapter}]`);
    const wait = async () => {
      await page.waitForFunction(() => document.querySelector(".options button")?.checkVisibility() && !document.querySelector(".options [aria-disabled]"));
      await quiet(page);
    };
    await wait();
    for (let i = 0; i < (chapter === "limit" ? MASTERED + 1 : 2); i += 1) {
      assert.equal(question.lesson, chapter, where);
      await tellsNothing(page, where);
      assert.equal((await text(page, "#fen").catch(() => "")) || await page.locator("#fen").inputValue(), question.fen, where);
      // No move can be made, and no number said, before the answer.
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press("Space");
      await page.keyboard.press("+");
      assert.equal(await page.locator("#fen").inputValue(), question.fen, where);
      // The first question is answered wrongly.
      const wrong = i === 0;
      const option = wrong ? (question.right + 1) % question.options.length : question.right;
      if (i === 1) {
        await page.reload();
        await wait();
        await tellsNothing(page, `${where}, loaded again`);
      }
      await hand.press(`[data-option="${option}"]`);
      await quiet(page);
      assert.match(await text(page, "#lesson .said"), wrong ? /^Wrong, the answer is: / : /^Right: /, where);
      assert.ok((await text(page, "#lesson .said")).length > 25, where);
      if (question.move && question.ask !== "promote") assert.equal(await page.locator("#fen").inputValue(), question.move.fen, where);
      if (i === 0 && width === 1280) await page.screenshot({ path: path.join(shots, `course-${chapter}.png`) });
      question = null;
      await hand.press("[data-do=next-question]");
      await wait();
    }
  }
  assert.match(await text(page, "[data-chapter=limit]"), /✓/);
  assert.doesNotMatch(await text(page, "[data-chapter=bia]"), /✓/);
  await hand.press("button[data-mode=explore]");
  await quiet(page);
  assert.ok(await page.locator("#verdict").isVisible(), "the verdict after the course");
}

async function why(page, hand) {
  for (const [fen, follows] of [["8/8/8/7P/8/1S6/8/1K1k4_w", /too late|no mate/], ["8/3k4/8/8/8/8/1nK5/2R5_w", /count is over|no mate|loses/], ["8/8/8/8/8/2k5/8/K6R_b", /loses: White mates in time/]]) {
    await page.goto(`${address}?fen=${fen}`);
    await quiet(page);
    const uci = await page.locator("#moves tbody tr:has([data-do=why]:not([hidden]))").first().getAttribute("data-uci");
    await hand.press(`#moves tr[data-uci="${uci}"] [data-do=why]`);
    await page.waitForFunction(() => document.querySelector("#consequence").checkVisibility());
    assert.match(await text(page, "#consequence"), follows);
    assert.match(await text(page, "#consequence"), /^\d+(\.|…) \S+.* \d+(\.|…) \S+: (White|Black) needs \d+|drawn/);
    await page.waitForFunction(() => history.state.place > 2 || history.state.place === history.state.moves.length, null, { timeout: 15_000 });
    await page.keyboard.press("Escape");
    await quiet(page);
    // The move itself can be taken back.
    await hand.press("[data-do=first]");
    await quiet(page);
    assert.equal(await page.locator("#consequence").isVisible(), false);
    assert.equal(await page.evaluate(() => history.state.moves[0].uci), uci);
  }
}

/** The share of an ending's positions that the stronger side wins in time under makruk. */
async function shareWon(material) {
  const { bytes } = await get(new URL(`v1/endings/${material}`, address));
  const { white_to_move: { legal }, rules } = JSON.parse(bytes.toString());
  return rules.find((set) => set.rules === "makruk").white_to_move.win / legal;
}

async function progress(page, hand, width) {
  await page.goto(address);
  await quiet(page);
  await page.evaluate(() => {
    localStorage.setItem("sakmak-level-KRRvK", "10");
    localStorage.setItem("sakmak-streak-KRRvK", "2");
    localStorage.setItem("sakmak-language", "en");
  });
  await page.reload();
  await quiet(page);
  await hand.press("button[data-mode=practice]");
  const onMap = await page.locator(".map button").evaluateAll((all) => all.map((button) => [button.dataset.ending, button.innerText.trim()]));
  const { bytes } = await get(new URL("v1/endings", address));
  const bare = JSON.parse(bytes.toString()).endings.filter(({ bare: is, men }) => is && men <= 4).map(({ material }) => material);
  if (width === 1280) {
    // Endings that hardly anybody wins are not on the map, and all others are.
    for (const material of bare) assert.equal(onMap.some(([name]) => name === material), await shareWon(material) > 0.002, material);
  }
  assert.deepEqual(onMap.find(([name]) => name === "KRRvK"), ["KRRvK", "KRRvK ✓"]);
  await hand.press('.map [data-ending="KRSvK"]');
  assert.equal(await page.locator("#practice select").first().inputValue(), "KRSvK");
  assert.ok(await page.locator("#practice input[value=drill]").isChecked());
  assert.equal(await page.locator('#practice select option[value="KNvK"]').count(), 0);
  const [download] = await Promise.all([page.waitForEvent("download"), hand.press("[data-do=save-progress]")]);
  const file = fs.readFileSync(await download.path());
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) localStorage.removeItem(key);
  });
  await page.locator("#progress").setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from('{"sakmak":2}') });
  await page.waitForFunction(() => /no progress/.test(document.querySelector(".mine").innerText));
  await page.locator("#progress").setInputFiles({ name: "x.json", mimeType: "application/json", buffer: file });
  await page.waitForFunction(() => /is here now/.test(document.querySelector(".mine").innerText));
  assert.match(await text(page, '.map [data-ending="KRRvK"]'), /✓/);
  assert.equal(await page.evaluate(() => localStorage.getItem("sakmak-level-KRRvK")), "10");
}

async function main() {
  for (const [width, height, hands] of SIZES) {
    const { context, page, faults } = await open(browserPath, path.join(work, `taught-${width}`), { viewport: { width, height }, hasTouch: hands === "touch" });
    page.setDefaultTimeout(20_000);
    const hand = new HANDS[hands](page);
    await course(page, hand, width);
    await why(page, hand);
    await progress(page, hand, width);
    assert.deepEqual(faults, []);
    await context.close();
  }
  console.log(`taught: ${CHAPTERS.length} chapters at three widths, the lines of losing moves, and the map`);
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
