// Does anything at any time, while answers come late and the server dies and comes back: whenever the
// page is quiet it shows what `probe` says of its own FEN, and whenever it is not, nothing else. The moves
// played are legal, turn by turn, by Fairy-Stockfish. First with the server, then with the static site.
//
//   node --no-experimental-fetch steady.js BROWSER WORK PROGRAM TABLES SITE ACTIONS [SEED]
//
// SITE is the directory of the static site; empty, it is left out.
"use strict";
const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const path = require("node:path");
const { compare, open, quiet, serve, shown } = require("./browse.js");
const { serve: files } = require("./files.js");
const { replay, run, saved } = require("./legal.js");
const { get, proxy } = require("./proxy.js");
const { RULES, below, one, placed, seed } = require("./random.js");

const [browserPath, work, program, tables, site, actions, seeded = "1"] = process.argv.slice(2);
const ENDINGS = ["KRvK", "KSMvK", "KNMvK", "KRRvK", "KRvKN", "KRPvK", "KSPvK", "KSPvK"];
const WRONG = [
  "8/8/8/3k4/3K4/8/8/8 w", "8/8/8/8/8/8/8/8 w", "8/8/8/3k4/8/3K4/RRRRRR2/8 w", "<script>alert(1)</script>", "x".repeat(300), "\u0000\u0001ÿ",
  "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", "8/8/8/3k4/8/3K4/3R4/8 w - 32", "8/8/8/3k4/8/3K4/3R4/8 w KQkq - 0 1",
  "7k/8/6K1/R7/8/8/8/8 w - 32 33 60", "8/8/8/3k4/8/3K4/2SM4/8 b - 88 11 3", "8/8/3k4/8/3K4/8/R7/7n w - 128 91 3",
  "8/8/8/P2k4/8/3K4/3R4/8 w - 32 8 1", "8/P7/8/3k4/8/3K4/3R4/8 w", "8/8/8/3k4/8/3K4/P2R4/8 b", "8/8/3k4/8/3K3p/8/3r4/8 w",
];
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** All actions of a user, each with its weight. */
const DEEDS = [
  [10, "space", (page) => page.keyboard.press(" ")],
  [6, "some moves", async (page) => {
    for (let i = 0; i < 6; i += 1) {
      await page.keyboard.press(" ");
      await wait(100 + below(200));
    }
  }],
  [5, "key", (page) => page.keyboard.press(one(["ArrowLeft", "ArrowRight", "Home", "End", "f", "x", "u", "+", "-", "+", "e", "Escape", "Enter"]))],
  [8, "row", (page) => click(page, "#moves tbody tr button")],
  [8, "button", (page) => click(page, "#travel button, #tools button, [data-do=turn]")],
  [4, "rule set", (page) => click(page, "#sets button")],
  [4, "ply", (page) => click(page, "#line .ply button")],
  [3, "editor", (page) => click(page, "#editor button, #editor input, .tray button")],
  [3, "ending", (page) => click(page, ".hit[role], .hard")],
  // Not out of the page: earlier entries have no board.
  [2, "back", (page) => page.evaluate((by) => navigation.entries()[navigation.currentEntry.index + by]?.sameDocument && history.go(by), one([-1, -1, -2, 1]))],
  [6, "drag", drag],
  [4, "squares", async (page) => { await press(page, 1); await press(page, 1); }],
  [2, "double click", (page) => press(page, 2)],
  [3, "FEN", (page) => write(page, fen())],
  [2, "no FEN", (page) => write(page, one(WRONG))],
  [4, "slider", slide],
  [5, "mode", (page) => click(page, "#modes button[data-mode], [data-do=start], [data-do=next-puzzle], [data-do=other], [data-do=giveUp], [data-do=again], [data-do=retry], [data-do=solution], [data-do=cancel], [data-do=lesson-next]")],
  [1, "men", (page) => page.locator("#men-style").selectOption(one(["thai", "letters", "western"]))],
];
const total = DEEDS.reduce((sum, [weight]) => sum + weight, 0);

function deed() {
  let at = below(total);
  return DEEDS.find(([weight]) => (at -= weight) < 0);
}

/** Clicks one of the elements present, by script, since it may be gone a moment later. */
async function click(page, selector) {
  const all = await page.locator(selector).all();
  if (!all.length) return;
  const box = await one(all).evaluate((element) => {
    element.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }).catch(() => null);
  if (box) await page.mouse.click(box.x, box.y, { delay: below(30) });
}

async function place(page) {
  const box = await page.locator("#board").boundingBox();
  return [box.x + ((below(8) + 0.5) * box.width) / 8, box.y + ((below(8) + 0.5) * box.height) / 8];
}

/** The square of one of the men, mostly. */
async function man(page) {
  const men = await page.locator(".grid .can").all();
  if (!men.length || below(4) === 0) return place(page);
  const box = await one(men).boundingBox().catch(() => null);
  return box ? [box.x + box.width / 2, box.y + box.height / 2] : place(page);
}

async function press(page, clicks) {
  await page.evaluate(() => scrollTo(0, 0));
  await page.mouse.click(...await man(page), { clickCount: clicks });
}

async function drag(page) {
  await page.evaluate(() => scrollTo(0, 0));
  const [from, to] = [await man(page), await place(page)];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 4 });
  // An answer may arrive while the man is being dragged.
  await wait(below(200));
  if (below(4) === 0) await page.keyboard.press(one(["ArrowLeft", "ArrowRight", "+", " "]));
  await page.mouse.up();
}

function fen() {
  const text = placed(one(ENDINGS), "makruk");
  // No count runs while a bia stands.
  return `${text}${!/p/i.test(text.split(" ")[0]) && below(2) ? ` - ${one([16, 32, 88, 128])} ${below(60)} ${1 + below(40)}` : ""}`;
}

async function write(page, text) {
  await page.locator("#fen").fill(text);
  await page.keyboard.press("Enter");
  await page.evaluate(() => document.activeElement.blur());
}

async function slide(page) {
  const slider = page.locator("#said-so-far");
  if (!await slider.isVisible()) return;
  const at = below(80);
  const send = (name, value) => slider.evaluate((input, [event, number]) => {
    if (number !== null) input.value = number;
    input.dispatchEvent(new Event(event, { bubbles: true }));
  }, [name, value]);
  for (let i = 0; i <= below(4); i += 1) await send("input", at + i);
  await send("change", null);
}

/** The tables' answers by FEN. */
const answers = new Map();
async function asked(server, rules, text) {
  const key = `${rules} ${text}`;
  if (answers.has(key)) return answers.get(key);
  const query = `fen=${encodeURIComponent(text.replaceAll(" ", "_"))}&rules=${rules}`;
  const [probe, explore, moves] = await Promise.all(["probe", "explore", "moves"].map((route) => get(`${server}v1/${route}?${query}`)));
  const json = ({ bytes }) => JSON.parse(bytes.toString());
  const answer = { status: explore.status, probe: json(probe), explore: json(explore), error: json(explore).error, moves: moves.status === 200 ? json(moves) : null };
  answers.set(key, answer);
  return answer;
}

async function session(name, address, { direct, kill, latency }) {
  seed(Number(seeded));
  const { context, page, faults } = await open(browserPath, path.join(work, `steady-${name}`));
  const found = { deeds: 0, quiet: 0, busy: 0, deaths: 0, plies: 0, answers: 0, refusals: 0, positions: new Set() };
  const log = [];
  await page.goto(address);
  await quiet(page);
  const check = async (isQuiet) => {
    const seen = await shown(page);
    const answer = await asked(direct, seen.rules, seen.fen);
    compare(seen, answer, isQuiet && !seen.busy);
    if (seen.game) found.plies = Math.max(found.plies, replay(seen.game));
    found[isQuiet ? "quiet" : "busy"] += 1;
    if (!isQuiet) return {};
    found[answer.status === 200 ? "answers" : "refusals"] += 1;
    if (answer.status === 200) found.positions.add(`${seen.rules} ${answer.probe.fen}`);
    return { refused: answer.status !== 200 };
  };
  try {
    while (found.deeds < Number(actions)) {
      for (let i = 0; i <= below(4); i += 1) {
        const [, what, act] = deed();
        log.push(`${what}: ${await page.locator("#fen").inputValue()}`);
        await act(page);
        found.deeds += 1;
        await wait(below(3) * below(150));
        if (below(3) === 0) await check(false);
      }
      if (below(15) === 0) {
        log.push("the server dies");
        found.deaths += 1;
        const back = kill();
        await wait(below(700));
        await check(false);
        await back;
      }
      await quiet(page);
      // A line that is playing continues by itself.
      if (await page.locator("[data-do=line]").innerText().then((text) => text.startsWith("■"))) {
        await page.keyboard.press("Escape");
        await quiet(page);
      }
      const { refused } = await check(true);
      // Without an answer most actions do nothing.
      if (refused && below(2)) await write(page, fen());
      if (found.quiet % 25 === 0) await saved(page);
    }
    assert.deepEqual(faults, [], "the page has no faults");
  } catch (error) {
    console.error(log.slice(-12).join("\n"));
    await page.screenshot({ path: path.join(work, `steady-${name}.png`), fullPage: true });
    throw error;
  }
  await context.close();
  alike(found.positions);
  console.log(`${name}, ${latency}: ${found.deeds} actions, ${found.deaths} deaths; ${found.quiet} quiet moments and ${found.busy} others, 0 differences from probe (${found.answers} answers about ${found.positions.size} positions, ${found.refusals} refusals); the longest line has ${found.plies} plies, 0 out of turn`);
}

/** The command line and the server, and so the page, must agree on these positions. */
function alike(positions) {
  for (const rules of RULES) {
    const fens = [...positions].filter((text) => text.startsWith(`${rules} `)).map((text) => text.slice(rules.length + 1));
    if (!fens.length) continue;
    const lines = execFileSync(program, ["probe", "-", "--json", "--rules", rules, "--tables", tables], { input: `${fens.join("\n")}\n`, maxBuffer: 1 << 28 }).toString().trim().split("\n");
    fens.forEach((text, i) => assert.deepEqual(JSON.parse(lines[i]), answers.get(`${rules} ${text}`)?.probe ?? JSON.parse(lines[i]), text));
  }
}

async function main() {
  const still = await serve(program, tables);
  const slow = () => below(401);
  // The server is killed and replaced by another.
  let mortal = await serve(program, tables);
  const front = await proxy(mortal.address);
  front.delay = slow;
  await session("server", front.address, {
    direct: still.address, latency: "0 to 400 ms",
    kill: async () => {
      mortal.kill();
      await wait(200 + below(1200));
      mortal = await serve(program, tables);
      front.target = mortal.address;
    },
  });
  mortal.kill();
  front.close();
  // The static site: its web server refuses connections for a while.
  if (site) {
    const { server, address } = await files(site);
    const before = await proxy(address);
    before.delay = () => below(401) / 4;
    await session("static site", before.address, {
      direct: still.address, latency: "0 to 100 ms a file",
      kill: async () => {
        before.down = true;
        await wait(200 + below(1200));
        before.down = false;
      },
    });
    before.close();
    server.close();
  }
  still.kill();
}

run(main);
