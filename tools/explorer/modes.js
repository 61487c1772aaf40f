// The modes of the page: every passage between them that the drawing docs/play/modes.svg has, by touch at 390 pixels, by
// mouse at 1280 and by keys at 1920. After each passage only what belongs to its state is on the page, and a way out of
// it; going back, forward and loading the page again lead where the drawing says, with the same position and task.
//
//   node modes.js BROWSER WORK ADDRESS [all]
//
// Without `all` each passage is walked at one of the widths.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { open, quiet } = require("./browse.js");
const { HANDS } = require("./hands.js");
const { get } = require("./proxy.js");

const [browserPath, work, address, all] = process.argv.slice(2);
const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";
const OTHER = "8/8/8/8/8/2k5/8/K6R w - - 0 1";
const GAME = '[FEN "8/8/8/3k4/8/3K4/3R4/8 w - - 0 40"]\n\n40. Ra2 Kc5 *\n';
const SIZES = [[390, 844, "touch"], [1280, 900, "mouse"], [1920, 1080, "keys"]];

const root = path.join(__dirname, "../..");
const modeOf = (state) => state.split("-")[0];
const hasTask = (state) => state.includes("-");

/** The passages of the drawing, as `[event, from, to]`. */
function drawn() {
  const svg = fs.readFileSync(path.join(root, "docs/play/modes.svg"), "utf8");
  return [...svg.matchAll(/<metadata data-event="(\w+)" data-from="([^"]+)" data-to="([^"]+)"/g)]
    .flatMap(([, event, from, to]) => from.split(" ").map((state) => [event, state, to]));
}

/** The passages of the page. */
async function built() {
  // Node recognises a module by its file name.
  const copy = path.join(work, "modes.mjs");
  fs.copyFileSync(path.join(root, "explorer/web/js/modes.js"), copy);
  const { PASSAGES } = await import(pathToFileURL(copy));
  return Object.entries(PASSAGES).flatMap(([event, states]) => Object.entries(states).map(([from, to]) => [event, from, to]));
}

const fenOf = (page) => page.locator("#fen").inputValue();
const stateOf = (page) => page.evaluate(() => document.body.dataset.state);
const inState = (page, state) => page.waitForFunction((wanted) => document.body.dataset.state === wanted && !document.querySelector("main").hasAttribute("aria-busy"), state, { timeout: 20_000 });
const turn = (page, ...phases) => page.waitForFunction((wanted) => !document.querySelector("main").hasAttribute("aria-busy") && wanted.includes(document.body.dataset.task), phases, { timeout: 60_000 });
const worst = async (page) => JSON.parse((await get(new URL(`v1/probe?fen=${(await fenOf(page)).replaceAll(" ", "_")}`, address))).bytes.toString()).moves.at(-1).uci;

/** The ways to each state. */
const WAYS = {
  explore: async () => {},
  setup: (page, hand) => hand.press("button[data-mode=setup]"),
  practice: (page, hand) => hand.press("button[data-mode=practice]"),
  async "practice-game"(page, hand) {
    await hand.press("button[data-mode=practice]");
    await hand.press("[data-do=start]");
    await turn(page, "mine");
  },
  async "practice-over"(page, hand) {
    await WAYS["practice-game"](page, hand);
    await hand.press("[data-do=giveUp]");
    await turn(page, "over");
  },
  async puzzles(page, hand) {
    await hand.press("button[data-mode=puzzles]");
    await page.locator("#puzzles select").first().selectOption("KRvK");
  },
  async "puzzles-game"(page, hand) {
    await WAYS.puzzles(page, hand);
    await hand.press("[data-do=next-puzzle]");
    await turn(page, "mine");
  },
  async "puzzles-over"(page, hand) {
    await WAYS["puzzles-game"](page, hand);
    await hand.press("[data-do=solution]");
    await solved(page);
  },
  async games(page, hand) {
    await hand.press("button[data-mode=games]");
    await hand.press("[data-do=example]");
    await page.waitForSelector("#games [aria-current=true]");
  },
  lesson: (page, hand) => hand.press("button[data-mode=lesson]"),
};

/** Waits until the solution of a puzzle has been played. */
async function solved(page) {
  await turn(page, "over");
  await page.waitForFunction(() => {
    const { moves, kept } = history.state;
    return kept.task.puzzle.moves.every((uci, i) => moves[i]?.uci === uci);
  }, null, { timeout: 20_000 });
}

async function wrongMove(page, hand) {
  await hand.move(await worst(page));
  await turn(page, "refuted", "over");
}

/** What the user does to make the passage of an event. */
const DEEDS = {
  file: (page) => page.locator("#pgn").setInputFiles({ name: "games.pgn", mimeType: "text/plain", buffer: Buffer.from(GAME) }),
  start: (page, hand, from) => hand.press({ practice: "[data-do=start]", "practice-over": "[data-do=again]" }[from] ?? "[data-do=next-puzzle]"),
  finish: (page, hand, from) => (from === "practice-game" ? hand.press("[data-do=giveUp]") : hand.press("[data-do=solution]").then(() => solved(page))),
  retry: (page, hand, from) => hand.press(from === "practice-over" ? "#practice .account li:first-child button" : "[data-do=retry]"),
  end: (page, hand, from) => hand.press(`#${modeOf(from)} [data-do=other]`),
  async open(page) {
    await page.locator("#fen").fill(OTHER);
    await page.locator("#fen").press("Enter");
  },
  async change(page, hand, from) {
    if (from === "setup") await hand.press("#editor [data-do=mirror]");
    else if (["explore", "practice", "puzzles"].includes(from)) await hand.press("[data-do=turn]");
    else await hand.press("#sets [data-rules=ouk]");
  },
};

/** What a passage needs before it, in the state that it leaves. */
async function prepare(page, hand, event, from) {
  if (event === "retry" && from === "practice-over") {
    await page.locator("#practice [data-do=again]").click();
    await turn(page, "mine");
    await hand.move(await worst(page));
    await turn(page, "mine", "over");
    if (await stateOf(page) === "practice-game") await hand.press("[data-do=giveUp]");
    await turn(page, "over");
  }
  // Verdicts that the game hides show the rule sets once they were asked for, or after a wrong move.
  if (event === "change" && from === "practice-game") await hand.press("[data-do=hint]");
  if (from === "puzzles-game" && (event === "retry" || event === "change")) await wrongMove(page, hand);
}

/** The state to which going back leads: before the passage, unless its entry of the history took the place of another. */
function before(event, from) {
  if (event === "finish") return modeOf(from);
  return from === "setup" && (event === "explore" || event === "change") ? "explore" : from;
}

/** Fails unless the page shows what belongs to a state, and nothing else. */
async function belongs(page, state, where) {
  await inState(page, state).catch(async () => assert.fail(`${where}: in ${await stateOf(page)}, not in ${state}`));
  const seen = await page.evaluate(() => {
    const shows = (selector) => [...document.querySelectorAll(selector)].some((element) => element.checkVisibility({ visibilityProperty: true }));
    const panels = ["games", "practice", "puzzles", "lesson", "editor", "tray-white", "tray-black"];
    return {
      panels: panels.filter((id) => shows(`#${id}`)),
      chosen: document.querySelector("#modes [aria-current]").dataset.mode,
      modes: document.querySelectorAll("#modes [data-mode]").length,
      ways: [...document.querySelectorAll("#modes [data-mode]")].filter((one) => one.checkVisibility()).length,
      leave: shows("[data-do=other]"),
      done: document.querySelector("#tools [data-do=setUp]").getAttribute("aria-pressed") === "true",
      task: document.body.dataset.task ?? null,
      hiding: document.body.classList.contains("hiding"),
      verdict: shows("#verdict"),
      said: document.querySelector("#said").textContent,
      first: document.querySelector("[role=gridcell]").dataset.square,
      busy: shows(".searching"),
      address: new URLSearchParams(location.search).get("mode"),
    };
  });
  const mode = modeOf(state);
  assert.deepEqual(seen.panels, { setup: ["editor", "tray-white", "tray-black"], explore: [] }[mode] ?? [mode], `${where}: panels`);
  assert.equal(seen.chosen, mode, `${where}: the chosen mode`);
  assert.equal(seen.ways, seen.modes, `${where}: the ways to all modes`);
  assert.equal(seen.leave, hasTask(state), `${where}: the way out of a game`);
  assert.equal(seen.done, mode === "setup", `${where}: the way out of setting up`);
  assert.equal(seen.task !== null, hasTask(state), `${where}: a task`);
  assert.equal(seen.verdict, !seen.hiding, `${where}: the verdict`);
  if (!state.endsWith("-game")) assert.ok(!seen.hiding, `${where}: verdicts are hidden without a game`);
  if (seen.hiding) assert.doesNotMatch(seen.said, /wins|Drawn|Draw:/, `${where}: the verdict is announced`);
  if (!hasTask(state)) assert.equal(seen.first, "a8", `${where}: the board is turned`);
  assert.ok(!seen.busy, `${where}: a search goes on`);
  assert.equal(seen.address, mode === "explore" ? null : mode, `${where}: the address`);
}

/** What a user would lose. */
const kept = (page) => page.evaluate(() => {
  const text = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).map((one) => one.innerText).join(" ");
  return {
    fen: document.querySelector("#fen").value,
    task: text("#practice .sentence, #puzzles .sentence"),
    lesson: text("#lesson .words"),
    game: text("#games h3"),
    plies: document.querySelectorAll("#line .ply").length,
  };
});

async function walk(page, hand, [event, from, to], where) {
  // A mistake can be made in the position with a rook.
  await page.goto(`${address}?fen=${(event === "retry" ? OTHER : START).replaceAll(" ", "_")}`);
  await quiet(page);
  // Games are kept for the tab.
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await quiet(page);
  const ready = new HANDS.mouse(page);
  await WAYS[from](page, ready);
  await inState(page, from);
  await prepare(page, ready, event, from);
  // The page keeps the games of one file.
  const own = event === "file" && from === "games" ? { game: "" } : {};
  const was = { ...await kept(page), ...own };
  // Another position within a moment has no entry of its own in the browser's history.
  await page.waitForTimeout(450);
  if (event in DEEDS) await DEEDS[event](page, hand, from);
  else await hand.press(`button[data-mode=${event}]`);
  await inState(page, to).catch(() => {});
  if (to.endsWith("-game")) await turn(page, "mine", "over");
  if (to === "games") await page.waitForFunction(() => !document.querySelector("#games .problem:not([hidden])"));
  await belongs(page, to, where);
  const now = await kept(page);
  if (event === from) return;
  await page.goBack();
  await belongs(page, before(event, from), `${where}, and back`);
  if (before(event, from) === from) assert.deepEqual({ ...await kept(page), ...own }, was, `${where}, and back`);
  await page.goForward();
  await belongs(page, to, `${where}, back and forward`);
  assert.deepEqual(await kept(page), now, `${where}, back and forward`);
  await page.reload();
  await quiet(page);
  if (to === "games" && now.game) await page.waitForSelector("#games h3");
  await belongs(page, to, `${where}, loaded again`);
  assert.deepEqual(await kept(page), now, `${where}, loaded again`);
}

async function main() {
  const passages = drawn();
  const sorted = (list) => list.map((passage) => passage.join(" ")).sort();
  assert.deepEqual(sorted(await built()), sorted(passages), "the page has the passages that the drawing has");
  const failed = [];
  let walked = 0;
  for (const [number, [width, height, hands]] of SIZES.entries()) {
    const { context, page, faults } = await open(browserPath, path.join(work, `modes-${width}`), { viewport: { width, height }, hasTouch: hands === "touch" });
    await page.addInitScript(() => localStorage.setItem("sakmak-pause", "20"));
    const hand = new HANDS[hands](page);
    for (const [i, passage] of passages.entries()) {
      if (!all && i % SIZES.length !== number) continue;
      const where = `${passage[0]} from ${passage[1]} at ${width}`;
      await walk(page, hand, passage, where).catch((error) => failed.push(`${where}: ${error.message.slice(0, 600)}`));
      walked += 1;
    }
    assert.deepEqual(faults, []);
    await context.close();
  }
  assert.equal(failed.length, 0, `${failed.length} of ${walked} passages:\n${failed.join("\n")}`);
  console.log(`modes: ${passages.length} passages as drawn, ${walked} walked at three widths, by touch, mouse and keys, each back, forward and loaded again`);
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
