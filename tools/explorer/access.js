// For everybody: axe finds nothing in nine states of the page, at two widths, light and dark, in both
// languages; and all of it can be done by keys alone, with the focus never lost.
//
//   node --no-experimental-fetch access.js BROWSER WORK ADDRESS SHOTS [all]
//
// Without `all` each width and colour is looked at in one of the languages.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const { open, quiet, tabTo } = require("./browse.js");
const { run } = require("./legal.js");
const { proxy } = require("./proxy.js");

const [browserPath, work, address, shots, all] = process.argv.slice(2);
const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";
const GAME = `[White "A"]\n[Variant "Makruk"]\n[FEN "8/8/8/3k4/8/3K4/3R4/8 w - - 0 40"]\n\n40. Ra2 Kc5 41. Ra1 Kd5 42. Ra4 Ke5 43. Re4+ Kd5 44. Re5+ Kxe5 1/2-1/2\n\n[Variant "Makruk"]\n\n1. e4 *\n`;

let unseen = 100;

async function visit(page, base, fen, rules = "makruk") {
  await page.goto(`${base}?fen=${encodeURIComponent(fen.replaceAll(" ", "_"))}&rules=${rules}`);
  await quiet(page);
}

/** The states in which the page is checked. */
const STATES = {
  "a win": (page, base) => visit(page, base, START),
  "a count that is over": (page, base) => visit(page, base, "7k/8/6K1/R7/8/8/8/8 w - 32 33 60"),
  "both sides": (page, base) => visit(page, base, "8/8/8/4n3/8/1k6/8/2K4R b - - 0 1", "asean"),
  mate: (page, base) => visit(page, base, "R6k/8/6K1/8/8/8/8/8 b - 32 20 60"),
  bia: (page, base) => visit(page, base, "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"),
  "a promotion": (page, base) => visit(page, base, "8/8/8/2P5/3k4/1R6/8/7K w - - 0 1"),
  "set-up": async (page, base) => {
    await visit(page, base, START);
    await page.locator("[data-do=setUp]").click();
    await page.locator("[data-do=clear]").click();
    await quiet(page);
  },
  games: async (page, base) => {
    await visit(page, base, START);
    await page.locator("#pgn").setInputFiles({ name: "games.pgn", mimeType: "text/plain", buffer: Buffer.from(GAME) });
    await page.waitForSelector("#games .list button");
    await page.locator("#games button[data-ply='5']").click();
    await quiet(page);
  },
  "no server": async (page, base, front) => {
    // A new position each time, since the browser keeps answers.
    unseen += 1;
    await visit(page, base, START.replace(/1$/, unseen));
    front.down = true;
    await page.locator("[data-do=best]").click();
    await page.waitForSelector("#problem:not([hidden])");
  },
};

async function looks(page, front) {
  const found = [];
  let looked = 0;
  for (const [width, height] of [[390, 844], [1280, 900]]) {
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      // Check only when animations have ended.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const language of all ? ["en", "th"] : [(width === 390) === (colorScheme === "light") ? "en" : "th"]) {
        await page.evaluate((name) => localStorage.setItem("sakmak-language", name), language);
        for (const [name, state] of Object.entries(STATES)) {
          await state(page, front.address, front);
          if (!await page.evaluate(() => "axe" in window)) await page.evaluate(axe);
          const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (wide > 0) found.push(`${name}: ${wide} pixels too wide at ${width}`);
          await page.screenshot({ path: path.join(shots, `${name.replaceAll(" ", "-")}-${width}-${colorScheme}-${language}.png`), fullPage: true });
          front.down = false;
          await quiet(page);
          looked += 1;
          for (const { id, nodes } of violations) {
            for (const node of nodes) found.push(`${name}, ${width}, ${colorScheme}, ${language}: ${id}: ${node.target} ${node.any[0]?.message ?? ""}`);
          }
        }
      }
    }
  }
  await page.evaluate(() => localStorage.setItem("sakmak-language", "en"));
  assert.deepEqual([...new Set(found)].slice(0, 40), [], `${found.length} violations`);
  return looked;
}

/** The element that has the focus. */
const focus = (page) => page.evaluate(() => {
  const element = document.activeElement;
  const seen = element.checkVisibility({ visibilityProperty: true });
  return { tag: element.tagName, id: element.id || element.dataset.do || element.dataset.rules || element.dataset.square || (element.innerText ?? element.tagName).slice(0, 20), seen };
});

/** Does every action by keys, and checks where the focus is afterwards. */
async function keys(page, base) {
  await page.setViewportSize({ width: 1280, height: 900 });
  await visit(page, base, START);
  const done = [];
  const does = async (name, act, stays = null) => {
    await act();
    await quiet(page);
    const now = await focus(page);
    assert.ok(now.tag !== "BODY" && now.seen, `${name}: the focus is on ${JSON.stringify(now)}`);
    if (stays) assert.ok(await page.evaluate((wanted) => document.activeElement.matches(wanted), stays), `${name}: the focus is on ${JSON.stringify(now)}`);
    done.push(name);
  };
  const press = (key) => page.keyboard.press(key);
  const pressing = async (name, selector, key = "Enter") => {
    await tabTo(page, selector);
    await does(name, () => press(key), selector);
  };
  await pressing("a move of the list", "#moves tbody tr:nth-child(2) button");
  await does("the next from the list", () => press("Enter"), "#moves tbody tr:nth-child(2) button");
  await pressing("back", "[data-do=back]");
  await does("back to the start", () => press("Enter"), "[data-do=back]");
  await pressing("forward", "[data-do=forward]");
  await pressing("to the end", "[data-do=last]");
  await pressing("to the start", "[data-do=first]");
  await pressing("the best move", "[data-do=best]", " ");
  await pressing("a move of the line", "#line .ply:nth-child(1) button");
  await pressing("turn the board", "[data-do=flip]");
  await does("turn it by its letter", () => press("f"), "[data-do=flip]");
  await pressing("another rule set", "#sets [data-rules=asean]");
  await pressing("and back", "#sets [data-rules=makruk]", " ");
  await pressing("undo", "[data-do=undo]");
  await pressing("the count by its button", "#count .step:last-child");
  await does("the count by its letter", () => press("-"), "#count .step:last-child");
  await pressing("the slider", "#said-so-far", "ArrowRight");
  await tabTo(page, "#fen");
  await does("a FEN", async () => {
    await page.keyboard.press("Control+a");
    await page.keyboard.type("8/8/8/3k4/8/3K4/3R4/8 w");
    await press("Enter");
  }, "#fen");
  await does("no FEN", async () => {
    await page.keyboard.type("x");
    await press("Enter");
  }, "#fen");
  await tabTo(page, "[data-do=undo]");
  await does("undo of that", () => press("Enter"));
  await tabTo(page, "[role=gridcell]");
  const go = async (square) => {
    for (let now = (await focus(page)).id; now !== square; now = (await focus(page)).id) {
      await press(now[0] < square[0] ? "ArrowRight" : now[0] > square[0] ? "ArrowLeft" : now[1] < square[1] ? "ArrowUp" : "ArrowDown");
    }
  };
  await go("d2");
  await does("picking up a man", () => press("Enter"), "[data-square=d2]");
  await go("h2");
  await does("a move on the board", () => press("Enter"), "[data-square=h2]");
  assert.match(await page.locator("#fen").inputValue(), /7R\/8 b/);
  await does("take it back", async () => {
    await tabTo(page, "[data-do=back]");
    await press("Enter");
  }, "[data-do=back]");
  await pressing("set up", "[data-do=setUp]");
  await pressing("mirror", "[data-do=mirror]");
  await pressing("swap colours", "[data-do=swap]");
  await does("swap by its letter", () => press("x"), "[data-do=swap]");
  await pressing("shift", "[data-do=shiftUp]");
  await pressing("the side to move", "input[name=turn]:checked", "ArrowRight");
  await pressing("a man in hand", "#tray-white [data-man=S]", " ");
  await tabTo(page, "[role=gridcell]");
  await go("a1");
  await does("a man put down", () => press("Enter"), "[data-square=a1]");
  await does("a man by its letter", () => press("M"), "[data-square=a1]");
  await does("a man taken away", () => press("Delete"), "[data-square=a1]");
  await pressing("random position", "[data-do=random]");
  await pressing("clear", "[data-do=clear]");
  await pressing("undo in set-up", "[data-do=undo]");
  await pressing("done", "[data-do=setUp]");
  await visit(page, base, START);
  await pressing("the scale", ".histogram button");
  await tabTo(page, ".hit");
  await does("from bar to bar", () => press("ArrowRight"), ".hit");
  await does("a bar", () => press("Enter"), "[role=gridcell]");
  await tabTo(page, ".hard");
  await does("a hardest position", () => press("Enter"), "[role=gridcell]");
  await tabTo(page, "[data-do=line]");
  await does("the best line", async () => {
    await press("Enter");
    await page.waitForFunction(() => document.querySelectorAll("#line .ply").length > 4);
    await press("Enter");
  }, "[data-do=line]");
  await pressing("copy", "#fens button[type=button]");
  await pressing("the men", "#men-style", "ArrowDown");
  await pressing("the language", "#language", "ArrowDown");
  await does("the language back", () => press("ArrowUp"), "#language");
  await page.locator("#pgn").setInputFiles({ name: "games.pgn", mimeType: "text/plain", buffer: Buffer.from(GAME) });
  await page.waitForSelector("#games .list button");
  await pressing("another game", "#games .list button:nth-child(2)");
  await pressing("the first game", "#games .list button:nth-child(1)");
  await pressing("a move of the game", "#games button[data-ply='3']");
  await does("back in the game", () => press("ArrowLeft"), "#games button[data-ply='3']");
  return done.length;
}

/** After a move by mouse the arrow keys step through the line; after a move by keys they stay on the board. */
async function arrows(page, base) {
  await visit(page, base, START);
  const middle = async (square) => {
    const box = await page.locator(`[role=gridcell][data-square=${square}]`).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.click(...await middle("d2"));
  await page.mouse.click(...await middle("e3"));
  await quiet(page);
  const fen = () => page.locator("#fen").inputValue();
  assert.match(await fen(), / b /);
  await page.keyboard.press("ArrowLeft");
  await quiet(page);
  assert.equal(await fen(), START, "the arrow takes the move back");
  await page.keyboard.press("ArrowRight");
  await quiet(page);
  assert.match(await fen(), / b /);
}

async function main() {
  const front = await proxy(address);
  const { context, page, faults } = await open(browserPath, path.join(work, "access"));
  await page.goto(front.address);
  const actions = await keys(page, front.address);
  await arrows(page, front.address);
  const looked = await looks(page, front);
  assert.deepEqual(faults, []);
  await context.close();
  front.close();
  console.log(`${actions} actions by keys alone keep the focus; axe: 0 violations in ${looked} pages`);
}

run(main);
