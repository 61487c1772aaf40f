// Does things faster than the answers come: the line stays legal, move by move.
//
//   node --no-experimental-fetch rush.js BROWSER WORK ADDRESS SECONDS
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const { open, quiet } = require("./browse.js");
const { replay, run, saved } = require("./legal.js");
const { get, proxy } = require("./proxy.js");

const [browserPath, work, address, seconds] = process.argv.slice(2);
const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Holds a key down for a time; a keyboard repeats it thirty times a second. */
async function hold(page, key) {
  const end = Date.now() + 1000 * Number(seconds);
  while (Date.now() < end) {
    await page.keyboard.down(key);
    await wait(33);
  }
  await page.keyboard.up(key);
}

async function middle(page, square) {
  const box = await page.locator(`[role=gridcell][data-square=${square}]`).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

const times = async (number, act) => {
  for (let i = 0; i < number; i += 1) await act(i);
};

/** Actions of a user in a hurry. */
const HASTE = {
  "held space": (page) => hold(page, " "),
  "held Enter on the best move": async (page) => {
    await page.locator("[data-do=best]").focus();
    await hold(page, "Enter");
  },
  "twenty double clicks on the best move": (page) => times(20, () => page.locator("[data-do=best]").dblclick({ delay: 5 })),
  "twenty double clicks on a move of the list": (page) => times(20, (i) => page.locator("#moves tbody tr").nth(i % 3).dblclick({ delay: 5, force: true, timeout: 5000 }).catch(() => {})),
  "quick clicks in the list": async (page) => {
    const box = await page.locator("#moves tbody").boundingBox();
    await times(40, async (i) => {
      await page.mouse.click(box.x + 60, box.y + 16 + 30 * (i % 4));
      await wait(25);
    });
  },
  "men dragged during an answer": (page) => times(8, async () => {
    await page.keyboard.press(" ");
    // It is Black's turn, but the answer is not there: either White's met moves again, or nothing moves.
    await page.mouse.move(...await middle(page, "d2"));
    await page.mouse.down();
    await page.mouse.move(...await middle(page, "e3"), { steps: 3 });
    await wait(30);
    await page.mouse.up();
    await page.mouse.click(...await middle(page, "d3"));
    await page.mouse.click(...await middle(page, "e3"));
  }),
  "a man in the air while the line goes on": async (page) => {
    await page.mouse.move(...await middle(page, "d2"));
    await page.mouse.down();
    await page.mouse.move(...await middle(page, "e1"), { steps: 3 });
    await page.keyboard.press(" ");
    await quiet(page);
    await page.mouse.up();
  },
  "all at once": (page) => times(15, async (i) => {
    await page.keyboard.press(" ");
    await page.locator("#moves tbody tr button").first().click({ force: true, timeout: 5000 }).catch(() => {});
    if (i % 5 === 4) await page.keyboard.press("ArrowLeft");
    await page.locator("[data-do=best]").click();
  }),
};

/** Begins a game against the tables from a position, and records its moves when it ends. */
async function practise(page, front, fen, side = "w") {
  await page.goto(`${front.address}?fen=${fen.replaceAll(" ", "_")}&rules=makruk`);
  await quiet(page);
  await page.locator("[data-mode=practice]").click();
  await page.locator("input[name=task][value=board]").check();
  await page.locator("#practice select:visible").selectOption(side);
  await page.locator("[data-do=start]").click();
  await page.evaluate(() => {
    window.ended = null;
    new MutationObserver(() => {
      if (document.body.dataset.task === "over") window.ended ??= structuredClone(history.state);
    }).observe(document.body, { attributeFilter: ["data-task"] });
  });
}

/**
 * Fails if Black has played anything but the tables' replies while the game was on; after its end both sides may be
 * moved. Returns the number of plies played until then.
 */
async function repliedByTables(page) {
  await quiet(page);
  replay(await page.evaluate(() => history.state));
  const game = await page.evaluate(() => window.ended ?? history.state);
  let fen = game.start;
  for (const { uci, fen: next } of game.moves) {
    if (fen.split(" ")[1] === "b") {
      const { bytes } = await get(new URL(`v1/reply?fen=${fen.replaceAll(" ", "_")}`, address));
      assert.equal(uci, JSON.parse(bytes.toString()).move.uci, `${fen} in ${game.start} ${game.moves.map((move) => move.uci).join(" ")}`);
    }
    fen = next;
  }
  return game.moves.length;
}

/** In a game against the tables only they move their side, and each of their moves resists longest. */
async function practises(page, front) {
  await practise(page, front, START);
  for (let i = 0; i < 12; i += 1) {
    await page.evaluate(() => scrollTo(0, 0));
    const men = await page.locator(".picture .men use").evaluateAll((all) => all.map((man) => man.dataset.square));
    for (const square of [men[i % men.length], men[(i + 1) % men.length]]) await page.mouse.click(...await middle(page, square));
    const targets = await page.locator(".picture .to").count();
    if (targets) {
      const box = await page.locator(".picture .to").nth(i % targets).boundingBox().catch(() => null);
      if (box) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount: 1 + (i % 2) });
    }
    if (await page.evaluate(() => window.ended !== null)) break;
    await page.keyboard.press(["x", " ", "+", "ArrowLeft", "ArrowRight"][i % 5]);
    await wait(60 * (i % 4));
  }
  await page.keyboard.press("End");
  return repliedByTables(page);
}

/** On a position whose answer is there already, the goal is known at once and the tables make the first move. */
async function beginsAtOnce(page, front) {
  await practise(page, front, START);
  assert.match(await page.locator("#practice .sentence").innerText(), /win/);
  await practise(page, front, START, "b");
  await page.waitForFunction(() => document.body.dataset.task === "mine");
  await page.waitForFunction(() => history.state.moves.length === 1);
}

/** A man given away ends the game before the tables have replied; after that either side may be moved. */
async function endsAtOnce(page, front) {
  await practise(page, front, "8/8/8/3k4/8/4M3/K1S5/8 w - - 0 1");
  await page.evaluate(() => scrollTo(0, 0));
  for (const [from, to] of [["e3", "d4"], ["d5", "e6"]]) {
    await page.mouse.click(...await middle(page, from));
    await page.mouse.click(...await middle(page, to));
    await quiet(page);
    await page.waitForFunction(() => window.ended !== null);
  }
  assert.deepEqual(await page.evaluate(() => history.state.moves.map((move) => move.uci)), ["e3d4", "d5e6"]);
  assert.equal(await repliedByTables(page), 1, "the game has ended with White's move");
}

async function main() {
  const front = await proxy(address);
  const { context, page, faults } = await open(browserPath, path.join(work, "rush"));
  const lengths = [];
  for (const latency of [0, 150, 400]) {
    front.delay = (url) => (url.startsWith("/v1/") ? latency : 0);
    for (const [name, act] of Object.entries(HASTE)) {
      await page.goto(`${front.address}?fen=${START.replaceAll(" ", "_")}&rules=makruk`);
      await quiet(page);
      await page.evaluate(() => document.activeElement.blur());
      await act(page);
      await quiet(page);
      const game = await page.evaluate(() => history.state);
      try {
        const played = game ? replay(game) : 0;
        assert.equal(await saved(page), played);
        assert.ok(played > 0 || name.includes("in the air"), "nothing was played");
        lengths.push(played);
      } catch (error) {
        error.message = `${name} at ${latency} ms: ${error.message}`;
        throw error;
      }
    }
  }
  let practised = 0;
  for (const latency of [0, 150, 400]) {
    front.delay = (url) => (url.startsWith("/v1/") ? latency : 0);
    practised += await practises(page, front);
    await beginsAtOnce(page, front);
    await endsAtOnce(page, front);
  }
  assert.ok(practised > 0, "nothing was played against the tables");
  assert.deepEqual(faults, []);
  await context.close();
  front.close();
  console.log(`in a hurry at 0, 150 and 400 ms: ${lengths.length} lines of up to ${Math.max(...lengths)} plies, all legal, as shown and as saved; ${practised} plies against the tables, theirs only their own`);
}

run(main);
