// Faults that users have found, each in the way in which they found it: at three widths, in both languages where words
// matter, with answers that come late.
//
//   node faults.js BROWSER WORK ADDRESS
"use strict";
const assert = require("node:assert/strict");
const path = require("node:path");
const { open, quiet, shown } = require("./browse.js");
const { HANDS } = require("./hands.js");
const { proxy } = require("./proxy.js");

const [browserPath, work, address] = process.argv.slice(2);
const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";
const BIA = "8/8/8/2P5/3k4/1R6/8/7K w - - 0 1";
const MATE = "7k/8/6K1/R7/8/8/8/8 w - 32 8 60";
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const text = async (page, selector) => (await page.locator(selector).innerText()).trim();

async function visit(page, base, fen = START, more = "") {
  await page.goto(`${base}?fen=${fen.replaceAll(" ", "_")}${more}`);
  await quiet(page);
}

/** True if an element is in the window without scrolling. */
const inWindow = (page, selector) => page.locator(selector).first().evaluate((element) => {
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && top >= -1 && bottom <= innerHeight + 1;
});

const FAULTS = {
  async "a game left for Explore leaves the verdict where it was"(page, { base }) {
    await visit(page, base);
    await page.locator("button[data-mode=games]").click();
    await page.locator("[data-do=example]").click();
    await page.waitForSelector("#games [aria-current=true]");
    await page.locator("button[data-mode=explore]").click();
    await quiet(page);
    await page.evaluate(() => scrollTo(0, 0));
    assert.ok(await inWindow(page, "#verdict .sentence"));
  },

  async "Escape stops a line that is still on its way"(page, { base, front }) {
    await visit(page, base);
    front.delay = (url) => (url.startsWith("/v1/line") ? 700 : 0);
    await page.locator("[data-do=line]").click();
    assert.match(await text(page, "[data-do=line]"), /Stop/);
    await page.keyboard.press("Escape");
    await wait(1500);
    assert.equal(await page.locator("#line .ply").count(), 0);
    assert.match(await text(page, "[data-do=line]"), /Best line/);
  },

  async "text that is being typed into the FEN field stays"(page, { base }) {
    await visit(page, base);
    await page.locator("[data-do=line]").click();
    await page.locator("#fen").focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" abc");
    const typed = await page.locator("#fen").inputValue();
    await page.waitForFunction(() => document.querySelectorAll("#line [aria-current]").length && history.state.place > 2);
    assert.equal(await page.locator("#fen").inputValue(), typed, "while the field has the focus");
    await page.locator("#fens button[type=submit]").focus();
    const place = await page.evaluate(() => history.state.place);
    await page.waitForFunction((was) => history.state.place > was, place);
    assert.equal(await page.locator("#fen").inputValue(), typed, "on the way to its button");
    await page.keyboard.press("Escape");
    await page.locator("#fen").focus();
    await page.keyboard.press("Escape");
    assert.doesNotMatch(await page.locator("#fen").inputValue(), /abc/, "Escape brings the position back");
  },

  async "letters of another game are not guessed"(page, { base }) {
    const western = "8/8/8/3k4/8/3K4/3QB3/8 w";
    for (const way of ["field", "link"]) {
      for (const [button, rules] of [["read-letters", "makruk"], ["open-asean", "asean"]]) {
        await visit(page, base, way === "link" ? western : START);
        if (way === "field") {
          await page.locator("#fen").fill(western);
          await page.locator("#fen").press("Enter");
          await quiet(page);
        }
        const seen = await shown(page);
        assert.equal(seen.men, "", `${way}: no men are drawn`);
        assert.deepEqual(seen.rows, [], way);
        assert.match(seen.problem, /letters Q, B.*ASEAN chess.*western chess.*Makruk writes S and M/, way);
        await page.locator(`[data-do=${button}]`).click();
        await quiet(page);
        const read = await shown(page);
        assert.equal(read.rules, rules);
        assert.equal(read.men, "d2M d3K d5bK e2S", `${way}, ${button}`);
        assert.equal(await page.locator("#letters").isVisible(), false);
      }
    }
    // The letters of makruk have one meaning everywhere.
    await visit(page, base, START, "&rules=asean");
    assert.equal((await shown(page)).men, "c2S d2M d3K d5bK");
  },

  async "each losing move with a bia has its reason"(page, { base }) {
    for (const fen of [BIA, "8/8/8/7P/8/1S6/8/1K1k4 w - - 0 1"]) {
      await visit(page, base, fen);
      const rows = await page.locator("#moves tbody tr").evaluateAll((all) => all.filter((row) => row.dataset.worth !== "win").map((row) => row.querySelector(".why").innerText));
      assert.ok(rows.length > 0 && rows.every((why) => /throws the win away: .{10}/.test(why)), rows.join("\n"));
      assert.match(rows.join("\n"), /the count after the bia|no mate can be forced/);
    }
  },

  async "without a table the board can be played, and the reason is above the fold"(page, { base }) {
    await visit(page, base, "8/8/8/3k4/8/3K4/RRRRR3/8 w");
    assert.match(await text(page, "#problem"), /no table of KRRRRRvK/);
    assert.ok(await inWindow(page, "#problem"));
    for (const square of ["a2", "a5"]) await page.locator(`[role=gridcell][data-square=${square}]`).click();
    await quiet(page);
    assert.match(await page.locator("#fen").inputValue(), /^8\/8\/8\/R2k4\/8\/3K4\/1RRRR3\/8 b /);
  },

  async "makruk's card answers though the chosen rules have no bia"(page, { base }) {
    for (const rules of ["asean", "ouk"]) {
      await visit(page, base, BIA, `&rules=${rules}`);
      await page.waitForFunction(() => document.querySelector("#sets [data-rules=makruk]").dataset.worth === "win");
      assert.match(await text(page, "#sets [data-rules=makruk]"), /win\s+decided in 6 moves/);
      const reason = { asean: /There is no table of .*-asean here/, ouk: /has no results for/ };
      assert.match(await text(page, "#problem"), reason[rules]);
    }
  },

  async "a search shows that it goes on, and can be ended"(page, { base, front }) {
    for (const [mode, button, route] of [["puzzles", "next-puzzle", "/v1/puzzles"], ["practice", "start", "/v1/random"], ["setup", "random", "/v1/random"]]) {
      for (const end of ["cancel", "Escape", "explore"]) {
        await visit(page, base);
        front.delay = (url) => (url.startsWith(route) ? 900 : 0);
        await page.locator(`button[data-mode=${mode}]`).click();
        if (mode === "practice") await page.locator("input[name=task][value=win]").check();
        await page.locator(`[data-do=${button}]`).click();
        await page.locator(".searching:visible").waitFor({ timeout: 800 });
        if (end === "Escape") await page.keyboard.press("Escape");
        else await page.locator(end === "cancel" ? ".searching:visible [data-do=cancel]" : "button[data-mode=explore]").click();
        await wait(1300);
        assert.equal(await page.locator(".searching:visible").count(), 0, `${mode}, ${end}`);
        assert.equal((await shown(page)).fen, START, `${mode}, ${end}: nothing was opened`);
        assert.equal(await page.evaluate(() => document.body.dataset.task ?? null), null, `${mode}, ${end}: no game has begun`);
      }
    }
  },

  async "a won game says so, and is not red"(page, { base }) {
    await visit(page, base, MATE);
    await page.locator("button[data-mode=practice]").click();
    await page.locator("[data-do=start]").click();
    await page.waitForFunction(() => document.body.dataset.task === "mine");
    await new HANDS.mouse(page).move("a5a8");
    await page.waitForFunction(() => document.body.dataset.task === "over");
    assert.match(await text(page, "#practice .said"), /you won with \d+ moves to spare/);
    assert.equal(await page.locator("#practice .said").getAttribute("data-worth"), "win");
    assert.equal(await page.locator("#verdict").getAttribute("data-worth"), "win");
    assert.equal(await page.locator("#sets button[data-worth=loss]").count(), 0);
  },

  async "a king in check is marked"(page, { base }) {
    await visit(page, base, "R6k/8/6K1/8/8/8/8/8 b - 32 20 60");
    assert.equal(await page.locator(".check").count(), 1);
    assert.match(await page.locator("[role=gridcell][data-square=h8]").getAttribute("aria-label"), /in check/);
    await visit(page, base);
    assert.equal(await page.locator(".check").count(), 0);
  },

  async "men glide, unless the user prefers no motion"(page, { base }) {
    const gliding = async () => {
      await visit(page, base);
      await page.evaluate(() => {
        window.glides = 0;
        const { animate } = Element.prototype;
        Element.prototype.animate = function counted(...how) {
          window.glides += 1;
          return animate.apply(this, how);
        };
      });
      await page.locator("[data-do=best]").click();
      await quiet(page);
      return page.evaluate(() => window.glides);
    };
    assert.equal(await gliding(), 1);
    await page.emulateMedia({ reducedMotion: "reduce" });
    assert.equal(await gliding(), 0);
    await page.emulateMedia({ reducedMotion: null });
  },

  async "the board grows with the window, and the names of squares lie above the men"(page, { base }) {
    await visit(page, base, BIA);
    const { width, height } = page.viewportSize();
    const board = await page.locator("#board").boundingBox();
    if (width === 1920) assert.ok(board.width > 700, `${board.width} pixels`);
    assert.ok(board.y + board.height <= height, "the whole board is in the window");
    const order = await page.locator(".picture > g").evaluateAll((groups) => groups.map((group) => group.getAttribute("class")));
    assert.ok(order.indexOf("names") > order.indexOf("men"));
  },

  async "targets have at least 24 pixels"(page, { base }) {
    for (const mode of ["explore", "setup", "practice", "puzzles", "games", "lesson"]) {
      await visit(page, base);
      await page.locator("[data-do=best]").click();
      await quiet(page);
      await page.locator(`button[data-mode=${mode}]`).click();
      if (mode === "games") {
        await page.locator("[data-do=example]").click();
        await page.waitForSelector("#games [aria-current=true]");
      }
      await quiet(page);
      const small = await page.evaluate(() => [...document.querySelectorAll("button, select, input:not(.unseen), summary, label:has(input)")].filter((one) => one.checkVisibility({ visibilityProperty: true })).flatMap((one) => {
        const { width, height } = (one.matches("input") ? one.closest("label") ?? one : one).getBoundingClientRect();
        return width >= 24 && height >= 24 ? [] : [`${one.tagName} ${one.dataset.do ?? one.id} "${one.innerText}" ${width}x${height}`];
      }));
      assert.deepEqual(small, [], mode);
    }
  },

  async "the side to move can be changed in any mode, but not in a game"(page, { base }) {
    for (const mode of ["explore", "setup", "practice", "puzzles", "games"]) {
      await visit(page, base);
      await page.locator(`button[data-mode=${mode}]`).click();
      await page.locator("[data-do=turn]").click();
      await quiet(page);
      assert.match((await shown(page)).fen, / b /, mode);
      assert.equal(await page.evaluate(() => document.body.dataset.mode), mode);
    }
    await visit(page, base);
    await page.locator("button[data-mode=practice]").click();
    await page.locator("[data-do=start]").click();
    await page.waitForFunction(() => document.body.dataset.task === "mine");
    assert.equal(await page.locator("[data-do=turn]").getAttribute("aria-disabled"), "true");
  },

  async "the words are those of players, in one language and one kind of digits"(page, { base }) {
    await page.evaluate(() => localStorage.setItem("sakmak-language", "th"));
    const wrong = "1. Rz9 *";
    try {
      await visit(page, base);
      await page.locator("[data-do=best]").click();
      await quiet(page);
      const all = await page.locator("body").innerText();
      assert.doesNotMatch(all, /[๐-๙]/, "one kind of digits");
      assert.ok(await page.locator("body.plain").count() === 1, "a Thai board has no chequers");
      for (const fen of ["8/8/8/3k4/8/3K4/3QB3/8 w", "8/8/8/3k4/3K4/8/8/8 w", "8/8/8/3k4/8/3K4/3R3/8 w", "8/8/8/3k4/8/3K4/RRRRR3/8 w"]) {
        await visit(page, base, fen);
        assert.doesNotMatch(await text(page, "#problem"), /\b(the|is|are|has|there)\b|ภาษาอังกฤษ/, fen);
      }
      await visit(page, base);
      await page.locator("button[data-mode=games]").click();
      await page.locator("[data-do=example]").click();
      await page.waitForSelector("#games [aria-current=true]");
      assert.doesNotMatch(await text(page, "#games .game"), /\b(the|is|are|has|there|win|moves)\b/, "the account of a game");
      await page.locator("#games > details summary").click();
      for (const game of [`[FEN "${START}"]\n\n1. Rz9 *`, `[FEN "${START}"]\n\n1. Kd4 *`, "[Variant \"Sittuyin\"]\n\n1. e4 *", "[FEN \"8/8 w\"]\n\n1. e4 *", wrong]) {
        await page.locator("#pgn-text").fill(game);
        await page.locator("[data-do=read]").click();
        await page.waitForFunction(() => document.querySelector("#games .problem:not([hidden])")?.innerText.length > 10 && !/กำลังค้น/.test(document.querySelector("#games .problem:not([hidden])").innerText));
        assert.doesNotMatch(await text(page, "#games .problem:not([hidden])"), /\b(the|is|not|are|has|there|ply)\b|ภาษาอังกฤษ/, game);
      }
    } finally {
      await page.evaluate(() => localStorage.setItem("sakmak-language", "en"));
    }
  },

  async "an unread move is named as players name it"(page, { base }) {
    await visit(page, base);
    await page.locator("button[data-mode=games]").click();
    await page.locator("#games > details summary").click();
    await page.locator("#pgn-text").fill(`[FEN "${START}"]\n\n1. Me3+ Ke5 2. Rz9 *`);
    await page.locator("[data-do=read]").click();
    await page.waitForSelector("#games .plies");
    assert.match(await text(page, "#games .game > .problem"), /can be read as far as 1… Ke5: /);
  },
};

async function main() {
  const front = await proxy(address);
  let held = 0;
  const failed = [];
  for (const [width, height] of [[390, 844], [1280, 720], [1920, 1080]]) {
    const { context, page, faults } = await open(browserPath, path.join(work, `faults-${width}`), { viewport: { width, height } });
    await page.addInitScript(() => localStorage.setItem("sakmak-pause", "20"));
    await visit(page, front.address);
    for (const [name, find] of Object.entries(FAULTS)) {
      front.delay = () => 0;
      await find(page, { base: front.address, front }).catch((error) => failed.push(`${name}, at ${width}: ${error.message.slice(0, 500)}`));
      held += 1;
    }
    assert.deepEqual(faults, []);
    await context.close();
  }
  assert.equal(failed.length, 0, `${failed.length} of ${held}:\n${failed.join("\n")}`);
  front.close();
  console.log(`${Object.keys(FAULTS).length} faults that users found stay mended at three widths`);
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
