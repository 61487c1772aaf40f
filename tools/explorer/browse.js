// Shared by the tests of the page: a browser, the server behind it, and a reading of the page.
"use strict";
const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const path = require("node:path");
const { chromium } = require("playwright-core");

const ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];

/** Opens a browser with a page. `faults` collects the page's own errors. */
async function open(browserPath, profile, options = {}) {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath, args: ARGS, viewport: { width: 1280, height: 900 }, locale: "en-GB", ...options,
  });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.stack ?? error}`));
  page.on("console", (message) => {
    // The browser logs each response with an error status; only the page's own errors count. A page that is left while its
    // manifest is on the way has half a manifest; `site.js` reads the whole one.
    if (!/Failed to load resource|net::ERR|icon from the Manifest|^Manifest: Line: 1, column: 1, Syntax error\.$/.test(message.text())) faults.push(`${message.type()}: ${message.text()}`);
  });
  return { context, page, faults };
}

/** Starts a server of tables on a free port. */
function serve(program, tables) {
  const server = spawn(program, ["serve", "--bind", "127.0.0.1:0", "--no-log", "--tables", tables], { stdio: ["ignore", "ignore", "pipe"] });
  return new Promise((resolve, reject) => {
    server.on("exit", () => reject(new Error("the server does not start")));
    server.stderr.on("data", (text) => {
      const [address] = /http:\/\/[0-9.:]+\//.exec(text) ?? [];
      if (!address) return;
      server.removeAllListeners("exit");
      resolve({ address, kill: () => server.kill("SIGKILL"), server });
    });
  });
}

/** Waits until nothing on the page will change by itself. */
const quiet = (page) => page.waitForFunction(() => !document.querySelector("main").hasAttribute("aria-busy"), null, { timeout: 60_000 });

/** The contents of the page. */
const shown = (page) => page.evaluate(() => {
  const visible = (element) => element && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const text = (selector) => {
    const element = document.querySelector(selector);
    return visible(element) ? element.innerText.trim() : "";
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter(visible);
  return {
    fen: document.querySelector("#fen").value,
    rules: document.querySelector("#sets [aria-pressed=true]")?.dataset.rules,
    hiding: document.body.classList.contains("hiding"),
    task: document.body.dataset.task ?? null,
    busy: document.querySelector("main").hasAttribute("aria-busy"),
    turn: text("#verdict .side"),
    verdict: text("#verdict .sentence"),
    worth: document.querySelector("#verdict").dataset.worth ?? null,
    cards: all("#sets button").map((card) => ({ rules: card.dataset.rules, worth: card.querySelector(".worth").innerText.trim(), detail: card.querySelector(".detail").innerText.trim(), kind: card.dataset.worth ?? null })),
    rows: all("#moves tbody tr").filter((row) => row.dataset.uci).map((row) => [row.dataset.uci, row.dataset.worth, ...[...row.cells].slice(0, 3).map((cell) => cell.innerText.trim())]),
    said: text("#count .big"),
    threshold: text("#count .sentence"),
    left: text("#count .left"),
    promotion: all("#promotion > p").filter((one) => !one.matches(".quiet")).flatMap((one) => (one.querySelector("[data-do=promote]") ? [...one.children].slice(0, 2).map((part) => part.innerText.trim()) : [one.innerText.trim()])),
    ending: text("#ending > .quiet"),
    problem: [...all("#problem"), ...all("#fen-problem")].map((one) => one.innerText).join(" "),
    men: [...document.querySelectorAll(".picture .men use")].map((man) => `${man.dataset.square}${man.getAttribute("class").includes("w") ? "" : "b"}${man.getAttribute("href").slice(-1)}`).sort().join(" "),
    game: history.state,
  };
});

/** Moves the focus to an element with the tab key alone, from the start of the page. */
async function tabTo(page, selector) {
  await page.evaluate(() => {
    document.activeElement.blur();
    getSelection().removeAllRanges();
    // Firefox goes on from the element before, by way of its own bars, and then Enter no longer reaches the page.
    if (navigator.userAgent.includes("Firefox")) getSelection().collapse(document.body, 0);
  });
  for (let i = 0; i < 250; i += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  assert.fail(`${selector} cannot be reached by the tab key`);
}

const WORDS = { win: "win", "cursed-win": "count draw", draw: "draw", "blessed-loss": "count draw", loss: "loss" };
const KINDS = { win: "win", "cursed-win": "count", draw: "draw", "blessed-loss": "count", loss: "loss" };

/** The squares and letters of a FEN's men, in the form of `shown`. */
function menOf(fen) {
  const men = [];
  fen.split(" ")[0].split("/").forEach((rank, i) => {
    let file = 0;
    for (const letter of rank) {
      if (letter === "~") continue;
      if (/\d/.test(letter)) file += Number(letter);
      else {
        const upper = { B: "S", Q: "M" }[letter.toUpperCase()] ?? letter.toUpperCase();
        men.push(`${"abcdefgh"[file]}${8 - i}${letter === letter.toUpperCase() ? "" : "b"}${upper}`);
        file += 1;
      }
    }
  });
  return men.sort().join(" ");
}

const hasBia = (fen) => /p/i.test(fen.split(" ")[0]);

function distance(move, rules, fen) {
  if (move.checkmate) return "mate";
  if (move.dtm === null) return "";
  const wins = ["win", "cursed-win"].includes(move.category);
  const [taken, lost] = rules === "asean" ? ["a man", "a man"] : ["last man", "its last man"];
  if (hasBia(fen)) return `${wins ? "mates" : "mated"} in ${move.dtm}${move.dth === null ? "" : ` · decided in ${move.dth}`}`;
  const honor = move.dth === null ? "" : wins ? ` · ${taken} in ${move.dth}` : ` · loses ${lost} in ${move.dth}`;
  return `${wins ? "mates" : "mated"} in ${move.dtm}${honor}`;
}

/** The kinds of refusals after which the moves can still be played. */
const UNTABLED = ["not-in-tables", "missing-table", "file"];

/**
 * Compares what is shown with the documents of `probe` and of the explorer about its own FEN. Unless it
 * is quiet, parts may be empty; what is there must be right.
 */
function compare(seen, { status, probe, explore, error, moves }, isQuiet = true) {
  const where = `${seen.rules} ${seen.fen}`;
  // In a game against the tables nothing tells.
  if (seen.hiding) {
    assert.deepEqual([seen.rows, seen.cards, seen.promotion, seen.verdict, seen.threshold, seen.left, seen.ending], [[], [], [], "", "", "", ""], `${where}: hidden`);
    if (status === 200) assert.equal(seen.men, menOf(seen.fen), `${where}: the men on the board`);
    return;
  }
  const is = (what, found, expected) => {
    if (!isQuiet && (found === "" || found === null || found.length === 0)) return;
    assert.deepEqual(found, expected, `${where}: ${what}`);
  };
  // The tables cannot be reached.
  const unreached = !isQuiet && seen.verdict === "There is no answer.";
  if (UNTABLED.includes(error?.kind) && moves && !unreached) {
    // No table has the position, but its moves can be played.
    const { length } = menOf(seen.fen).split(" ");
    is("moves without a table", seen.rows, moves.moves.map(({ value, ...move }) => {
      const worth = value ? [KINDS[value.category], move.san, WORDS[value.category], distance({ ...move, ...value }, moves.rules, "")] : [undefined, move.san, "", move.checkmate ? "mate" : ""];
      return [move.uci, ...worth];
    }));
    const verdict = moves.checkmate ? /checkmated/ : moves.stalemate ? /^Stalemate/ : moves.insufficient_material ? /^Draw/ : new RegExp(`of ${length} men`);
    if (isQuiet) assert.match(seen.verdict, verdict, where);
    assert.equal(seen.said + seen.threshold + seen.left, "", `${where}: a count without an answer`);
    if (isQuiet) assert.ok(seen.problem, where);
    return;
  }
  if (status !== 200 || unreached) {
    is("rows without an answer", seen.rows, []);
    // Only makruk has tables with bia: its card then has an answer of its own.
    const cards = seen.cards.filter((card) => !(hasBia(seen.fen) && seen.rules !== "makruk" && card.rules === "makruk"));
    assert.ok(!seen.worth && cards.every((card) => !card.kind && !card.worth), `${where}: a verdict without an answer`);
    assert.equal(seen.said + seen.threshold + seen.left, "", `${where}: a count without an answer`);
    if (!isQuiet) return;
    assert.match(seen.verdict, /no answer/, where);
    assert.ok(cards.every((card) => card.detail === "no answer"), `${where}: cards`);
    if (error.kind === "input") assert.ok(seen.problem.includes(error.message.slice(0, 200)), `${where}: ${seen.problem}`);
    else assert.ok(seen.problem, where);
    return;
  }
  assert.equal(seen.men, menOf(seen.fen), `${where}: the men on the board`);
  is("the side to move", seen.turn, `${probe.side_to_move === "white" ? "White" : "Black"} to move`);
  is("moves", seen.rows, probe.moves.map((move) => [move.uci, KINDS[move.category], move.san, WORDS[move.category], distance(move, probe.rules, probe.fen)]));
  // A mate that the user gave in practice is a win.
  const final = probe.checkmate ? (seen.task === "over" ? seen.worth : "loss") : probe.stalemate || probe.insufficient_material ? "draw" : null;
  is("the verdict's colour", seen.worth, final ?? KINDS[probe.category]);
  if (seen.verdict && !final && probe.dtm !== null) assert.match(seen.verdict, new RegExp(`mate in ${probe.dtm}\\b`), where);
  if (seen.verdict && !final) assert.match(seen.verdict, { win: /wins/, loss: /wins/, draw: /^Draw:/ }[probe.category] ?? /Drawn by the count/, where);
  const sets = explore.rule_sets.map((set) => ({
    rules: set.rules,
    kind: set.error ? "unknown" : final ?? KINDS[set.category],
    worth: set.error ? "" : probe.checkmate ? "checkmate" : final ? "draw" : WORDS[set.category],
  }));
  const cards = seen.cards.map(({ rules, kind, worth }) => ({ rules, kind, worth }));
  if (isQuiet || cards.some((card) => card.kind)) assert.deepEqual(cards, sets, `${where}: cards`);
  const [, , , limit, counted] = probe.fen.split(" ");
  const counts = explore.numbers && !final;
  const running = counts && limit !== "-" && limit !== "0";
  const { count } = probe;
  const number = !counts ? "" : !running ? "–" : count?.started && count.kind !== "fifty-moves" ? String(count.counted) : String(Math.ceil(Number(counted) / 2));
  if (!(running && count?.kind === "fifty-moves")) is("the number said", seen.said, number);
  if (counts && explore.winner && count && seen.left) {
    const { moves_available: n } = count;
    assert.ok(seen.left.endsWith(n === 0 ? "has no move left." : n === 1 ? "has one move left." : `has ${n} moves left.`), `${where}: ${seen.left}`);
  }
  if (isQuiet) assert.ok(!seen.problem, `${where}: ${seen.problem}`);
  // The promotions of the position.
  const promotions = final ? [] : probe.moves.filter((move) => move.uci.length > 4);
  const best = promotions[0];
  is("the promotion", seen.promotion.slice(0, 2), best ? [best.san, WORDS[best.category]] : []);
  if (best?.count && seen.promotion.length) assert.ok(seen.promotion[2].includes(`to ${best.count.limit}`), `${where}: ${seen.promotion[2]}`);
  if (seen.said) assert.equal(hasBia(seen.fen) && seen.said !== "", false, `${where}: a count while a bia stands`);
  is("the ending", seen.ending.split(":")[0], /^K[a-z]*vK$/i.test(explore.ending.material) && explore.ending.material === "KvK" ? "" : explore.ending.material);
}

module.exports = { compare, open, quiet, serve, shown, tabTo };
