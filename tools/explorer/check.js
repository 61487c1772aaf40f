// Uses the explorer as people do. Arguments: the browser, a directory for its profile, the directory
// for screenshots, the address of the page, and the file for the README's picture, if one is wanted.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { chromium } = require("playwright-core");

const [browserPath, work, shots, address, picture] = process.argv.slice(2);
const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];
const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";
const noise = [];
const asked = [];

async function open(name, options = {}) {
  const context = await chromium.launchPersistentContext(path.join(work, name), {
    executablePath: browserPath, args, viewport: { width: 1280, height: 900 }, locale: "en-GB", ...options,
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    // The browser logs each refusal; only the page's own errors count.
    if (!/the server responded with a status of 40[04]/.test(message.text())) noise.push(`${name}: ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => noise.push(`${name}: error: ${error}`));
  page.on("request", (request) => asked.push(request.url()));
  return { context, page };
}

const link = (fen, rules = "makruk") => `${address}?fen=${fen.replaceAll(" ", "_")}&rules=${rules}`;
const text = (page, selector) => page.locator(selector).innerText();
/** Waits until the tables have answered for what is shown. */
async function answered(page) {
  await page.waitForFunction(() => !document.querySelector("#moves").hasAttribute("aria-busy"), null, { timeout: 20000 });
  await page.waitForFunction(() => document.querySelectorAll("#moves tbody tr").length > 0 || !document.querySelector("#moves .quiet")?.hidden, null, { timeout: 20000 });
}
const fenOf = (page) => page.locator("#fen").inputValue();
async function visit(page, url) {
  await page.goto(url);
  await answered(page);
}
async function middle(page, square) {
  const box = await page.locator(`[role=gridcell][data-square=${square}]`).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
async function drag(page, from, to) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
  await page.mouse.up();
}

async function main() {
  const { context, page } = await open("desktop");
  await visit(page, address);
  assert.equal(await fenOf(page), START, "the first position");
  await counts(page);
  await lists(page);
  await plays(page);
  await lines(page);
  await links(page);
  await edits(page);
  await keys(page);
  await bia(page);
  await endings(page);
  await labels(page);
  await games(page);
  await overs(page);
  await undoes(page);
  await words(page);
  await speaks(page);
  await tongues(page);
  await pictures(page);
  await context.close();
  await phone();
  await prefers();
  assert.deepEqual(noise, [], "the console is silent");
  const elsewhere = asked.filter((url) => !url.startsWith(address) && !url.startsWith("blob:") && !url.startsWith("data:"));
  assert.deepEqual(elsewhere, [], "nothing is asked of anybody else");
  console.log(`the explorer can be used: ${asked.length} requests, all of them here`);
}

// The slider recolours the moves without a request, and the results agree with the server's.
async function counts(page) {
  await visit(page, link(START));
  assert.match(await text(page, "#count"), /Pieces’ honor/);
  const sentence = await text(page, "#count .sentence");
  const [, upTo] = sentence.match(/at most (\d+); from (\d+) on it is a draw/);
  const slider = page.locator("#said-so-far");
  const before = asked.length;
  const worths = () => page.locator("#moves tbody tr").evaluateAll((rows) => Object.fromEntries(rows.map((row) => [row.dataset.uci, row.dataset.worth])));
  const slide = (n) => slider.evaluate((input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, n);
  await slide(Number(upTo));
  const inTime = await worths();
  assert.ok(Object.values(inTime).includes("win"));
  await slide(Number(upTo) + 1);
  const late = await worths();
  assert.ok(!Object.values(late).includes("win") && Object.values(late).includes("count"), "a move changes its verdict");
  assert.equal(asked.length, before, "without a request");
  assert.match(await text(page, "#verdict"), /Drawn by the count/);
  // When the slider is let go the number is in the FEN, and the server agrees.
  await slider.evaluate((input) => input.dispatchEvent(new Event("change", { bubbles: true })));
  await answered(page);
  assert.match(await fenOf(page), / w - 88 \d+ 1$/);
  assert.deepEqual(await worths(), late);
  const response = await page.request.get(`${address}v1/probe?fen=${(await fenOf(page)).replaceAll(" ", "_")}`);
  assert.equal((await response.json()).category, "cursed-win");
  await page.keyboard.press("-");
  await page.waitForFunction((n) => document.querySelector("#count .big").textContent === n, upTo);
  await answered(page);
  assert.deepEqual(await worths(), inTime);
  await page.screenshot({ path: path.join(shots, "count.png") });
}

// All moves are in one list, best first, and the rule sets are side by side.
async function lists(page) {
  await visit(page, link(START));
  const rows = page.locator("#moves tbody tr");
  const shown = await rows.evaluateAll((all) => all.map((row) => row.dataset.uci));
  const response = await page.request.get(`${address}v1/probe?fen=${START.replaceAll(" ", "_")}`);
  assert.deepEqual(shown, (await response.json()).moves.map((move) => move.uci), "the server's order");
  await rows.first().hover();
  assert.equal(await page.locator(".arrows path").count(), 1, "an arrow shows the move");
  assert.equal(await page.locator("#sets button").count(), 3);
  await page.locator("#sets button[data-rules=asean]").click();
  await answered(page);
  assert.match(await fenOf(page), /2BQ4/, "ASEAN letters");
  assert.match(page.url(), /rules=asean/);
  assert.equal(await page.locator("#sets button[aria-pressed=true]").getAttribute("data-rules"), "asean");
  assert.match(await text(page, "#fen-other"), /2SM4/);
  await page.locator("#sets button[data-rules=makruk]").click();
  await answered(page);
  assert.equal(await fenOf(page), START);
}

// Moves by dragging, by two clicks and from the list; taken back, also by the browser's button.
async function plays(page) {
  await visit(page, link(START));
  await drag(page, await middle(page, "d2"), await middle(page, "e3"));
  await page.waitForFunction(() => document.querySelector("#fen").value.includes(" b "));
  await answered(page);
  const first = await fenOf(page);
  assert.match(first, /3KM3/, first);
  await page.mouse.click(...await middle(page, "d5"));
  assert.ok(await page.locator(".to").count() > 2, "where the man may go is shown");
  await page.mouse.click(...await middle(page, "d6"));
  await answered(page);
  await page.waitForFunction(() => document.querySelectorAll("#line .ply").length === 2);
  await page.locator("#moves tbody tr th button:not([data-do])").first().click();
  await page.waitForFunction(() => document.querySelectorAll("#line .ply").length === 3);
  await answered(page);
  await page.locator("[data-do=back]").click();
  await answered(page);
  await page.keyboard.press("ArrowLeft");
  await answered(page);
  assert.equal(await fenOf(page), first);
  await page.keyboard.press("Home");
  await answered(page);
  assert.equal(await fenOf(page), START);
  // An illegal move is not made.
  await drag(page, await middle(page, "d2"), await middle(page, "d4"));
  assert.equal(await fenOf(page), START);
  assert.match(await text(page, "#hint"), /d4/);
}

// The whole best line from one request, to the mate.
async function lines(page) {
  await visit(page, link("8/8/8/8/8/2k5/8/K6R w - - 0 1"));
  const before = asked.length;
  await page.locator("[data-do=line]").click();
  await page.waitForFunction(() => document.querySelectorAll("#line .ply").length === 27);
  const requests = asked.slice(before).filter((url) => url.includes("/v1/line"));
  assert.equal(requests.length, 1, `one request: ${requests}`);
  assert.equal(await page.locator("#line sup:not(:empty)").first().textContent(), "4", "the count begins after three men");
  await page.locator("[data-do=line]").click();
  await page.keyboard.press("End");
  await answered(page);
  await page.waitForFunction(() => /checkmated/.test(document.querySelector("#verdict").innerText));
  assert.match(await text(page, "#line .over"), /Checkmate/);
  await page.screenshot({ path: path.join(shots, "mate.png") });
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-do=pgn]").click()]);
  const saved = fs.readFileSync(await download.path(), "utf8");
  assert.match(saved, /\[Variant "Makruk"\]/);
  assert.match(saved, /# 1-0\n$/);
  const response = await page.request.get(`${address}v1/line.pgn?fen=8/8/8/8/8/2k5/8/K6R_w`);
  const movesOf = (pgn) => pgn.split("\n\n")[1].replace(/\{[^}]*\}|\d+\.+|\s+/g, " ").trim().split(/ +/);
  assert.deepEqual(movesOf(saved), movesOf(await response.text()), "the line that is saved");
  // Space plays the best move, again and again, to the end.
  await visit(page, link("8/8/8/8/8/2k5/8/K6R w - - 0 1"));
  await page.locator("#board-name").evaluate(() => document.activeElement.blur());
  for (let i = 1; i <= 27; i += 1) {
    await page.keyboard.press(" ");
    await page.waitForFunction((n) => document.querySelectorAll("#line .ply").length === n, i);
    await answered(page);
  }
  await page.waitForFunction(() => /checkmated/.test(document.querySelector("#verdict").innerText));
}

// A position has an address that survives a reload and going back.
async function links(page) {
  await visit(page, link(START));
  await page.locator("#moves tbody tr th button:not([data-do])").first().click();
  await answered(page);
  const played = await fenOf(page);
  assert.ok(decodeURIComponent(page.url()).includes(played.replaceAll(" ", "_")));
  await page.reload();
  await answered(page);
  assert.equal(await fenOf(page), played, "after a reload");
  assert.equal(await page.locator("#line .ply").count(), 1, "with its game");
  await page.goBack();
  await answered(page);
  assert.equal(await fenOf(page), START, "after the back button");
  await page.goForward();
  await answered(page);
  assert.equal(await fenOf(page), played);
  await visit(page, link("8/8/8/3k4/8/3K4/2SM4/8 b - 88 10 30"));
  assert.equal(await text(page, "#count .big"), "5");
  // The letters of ASEAN chess are read once the user says that they are meant.
  await page.locator("#fen").fill("8/8/8/3k4/8/3K4/2BQ4/8 b");
  await page.locator("#fen").press("Enter");
  await page.locator("[data-do=read-letters]").click();
  await answered(page);
  assert.equal(await fenOf(page), "8/8/8/3k4/8/3K4/2SM4/8 b - - 0 1");
}

// Setting up by mouse: the tray, dragging off the board, turning, shifting, random positions.
async function edits(page) {
  await visit(page, link(START));
  await page.locator("[data-do=setUp]").click();
  const tray = page.locator("#tray-white [data-man=R]");
  const box = await tray.boundingBox();
  await drag(page, [box.x + box.width / 2, box.y + box.height / 2], await middle(page, "h1"));
  await page.waitForFunction(() => document.querySelector("#fen").value.startsWith("8/8/8/3k4/8/3K4/2SM4/7R"));
  for (const square of ["c2", "d2"]) {
    const edge = await page.locator("#board").boundingBox();
    await drag(page, await middle(page, square), [edge.x + edge.width + 40, edge.y + 100]);
  }
  await page.waitForFunction(() => document.querySelector("#fen").value.startsWith("8/8/8/3k4/8/3K4/8/7R"));
  await answered(page);
  await page.screenshot({ path: path.join(shots, "editor.png") });
  // A second king moves the first.
  const king = await page.locator("#tray-white [data-man=K]").boundingBox();
  await drag(page, [king.x + 10, king.y + 10], await middle(page, "a1"));
  await page.waitForFunction(() => document.querySelector("#fen").value.startsWith("8/8/8/3k4/8/8/8/K6R"));
  const steps = [
    ["mirror", "8/8/8/4k3/8/8/8/R6K w"],
    ["swap", "r6k/8/8/8/4K3/8/8/8 b"],
    ["shiftLeft", null],
    ["shiftDown", "8/r6k/8/8/8/4K3/8/8 b"],
  ];
  for (const [name, expected] of steps) {
    const before = await fenOf(page);
    await page.locator(`#editor [data-do=${name}]`).click();
    const now = await fenOf(page);
    assert.ok(now.startsWith(expected ?? before), `${name}: ${now}`);
  }
  await page.locator("#editor .random select").nth(0).selectOption("KSMvK");
  await page.locator("#editor .random select").nth(1).selectOption("cursed-win");
  const before = await fenOf(page);
  await page.locator("#editor [data-do=random]").click();
  await page.waitForFunction((fen) => document.querySelector("#fen").value !== fen, before);
  await answered(page);
  assert.match(await text(page, "#verdict"), /Drawn by the count/);
  await page.locator("#editor [data-do=clear]").click();
  await page.waitForFunction(() => !document.querySelector("#problem").hidden);
  assert.match(await fenOf(page), /^8\/8\/8\/8\/8\/8\/8\/8/);
  await page.locator("[data-do=setUp]").click();
}

// Everything by keys alone.
async function keys(page) {
  await visit(page, link(START));
  await page.keyboard.press("e");
  await page.locator("[role=gridcell][tabindex='0']").focus();
  const at = () => page.evaluate(() => document.activeElement.dataset.square);
  const go = async (square) => {
    const [file, rank] = [square.charCodeAt(0), Number(square[1])];
    for (let now = await at(); now !== square; now = await at()) {
      const [f, r] = [now.charCodeAt(0), Number(now[1])];
      await page.keyboard.press(f < file ? "ArrowRight" : f > file ? "ArrowLeft" : r < rank ? "ArrowUp" : "ArrowDown");
    }
  };
  await go("c2");
  await page.keyboard.press("Delete");
  await go("d2");
  await page.keyboard.press("R");
  await page.waitForFunction(() => document.querySelector("#fen").value.startsWith("8/8/8/3k4/8/3K4/3R4/8 w"));
  await answered(page);
  await go("d3");
  await page.keyboard.press("Escape");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("e");
  await page.locator("[role=gridcell][tabindex='0']").focus();
  await go("d3");
  await page.keyboard.press("Enter");
  await go("e3");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#fen").value.startsWith("8/8/8/3k4/8/4K3/3R4/8 b"));
  await answered(page);
  assert.match(await text(page, "#said"), /Ke3\+? played/);
  assert.match(await page.locator("[data-square=d2][role=gridcell]").getAttribute("aria-label"), /d2: White rook/);
  await page.keyboard.press("f");
  assert.equal(await page.locator("[role=gridcell]").first().getAttribute("data-square"), "h1", "the board is turned");
  await page.keyboard.press("f");
}

// A bia: when it may promote, in every way of moving it, and where it may stand.
async function bia(page) {
  const fen = "8/8/8/2P5/3k4/1R6/8/7K w - - 0 1";
  const promoted = "8/8/2M5/8/3k4/1R6/8/7K b - 32 8 1";
  await visit(page, link(fen));
  assert.match(await text(page, "#verdict"), /White wins: mate in 15\. Within 6 moves it mates, or the last bia promotes or falls/);
  assert.match(await text(page, "#promotion"), /c6=M\s+count draw\s+mates in 15[^]*Pieces’ honor begins, to 16: White has 12 moves and needs 14[^]*Too early: Rb5 first/);
  assert.match(await text(page, "#count"), /Nothing is counted while a bia stands/);
  assert.equal(await page.locator("#said-so-far").isVisible(), false, "no slider");
  assert.match(await text(page, "#moves tbody"), /c6=M[^]*throws the win away: promotes too early: 14 needed, 12 allowed/);
  assert.match(await text(page, "#sets [data-rules=asean]"), /There is no table of KRPvK-asean here/);
  await page.locator("[data-do=promote]").hover();
  assert.equal(await page.locator(".arrows path").count(), 1, "an arrow shows the promotion");
  const cell = (square) => page.locator(`[role=gridcell][data-square=${square}]`);
  const ways = {
    "two clicks": async () => {
      await page.mouse.click(...await middle(page, "c5"));
      await page.mouse.click(...await middle(page, "c6"));
    },
    "a drag": async () => drag(page, await middle(page, "c5"), await middle(page, "c6")),
    keys: async () => {
      await cell("c5").focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
    },
    "its row": () => page.locator("#moves tr[data-uci=c5c6m] button:not([data-do])").click(),
    "its own row": () => page.locator("[data-do=promote]").click(),
  };
  for (const [name, move] of Object.entries(ways)) {
    await visit(page, link(fen));
    await page.evaluate(() => scrollTo(0, 0));
    await move();
    await page.waitForFunction((wanted) => document.querySelector("#fen").value === wanted, promoted).catch(() => assert.fail(name));
    await answered(page);
    assert.equal(await text(page, "#count .big"), "4", `${name}: the count begins after four men`);
    assert.equal(await page.locator("#promotion").isVisible(), false, name);
    assert.match(await text(page, "#line"), /c6=M\?\?/, name);
  }
  // The best line continues in another table, with its count.
  await page.locator("[data-example=KSPvK]").click();
  await answered(page);
  assert.equal(await fenOf(page), "8/8/8/7P/8/1S6/8/1K1k4 w - - 0 1");
  await page.locator("[data-do=line]").click();
  await page.waitForFunction(() => /=M/.test(document.querySelector("#line").innerText));
  await page.locator("[data-do=line]").click();
  await page.keyboard.press("End");
  await answered(page);
  assert.match(await text(page, "#verdict"), /checkmated/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-do=pgn]").click()]);
  const saved = fs.readFileSync(await download.path(), "utf8");
  assert.match(saved, /h6=M/);
  // The saved file can be read again.
  await page.locator("#pgn").setInputFiles({ name: "bia.pgn", mimeType: "text/plain", buffer: Buffer.from(saved.replace(/1\. Sc4/, "1. h6=M").replace(/(1\. h6=M)[^]*/, "$1 *\n")) });
  await page.waitForSelector("#games .wrong");
  assert.deepEqual(await page.locator("#games .wrong").allInnerTexts(), ["h6=M??"]);
  // A bia set up from the tray and by its letter; on a rank that the tables do not have, the page says so.
  await visit(page, link("8/8/8/3k4/8/3K4/8/7R w - - 0 1"));
  await page.locator("[data-do=setUp]").click();
  await page.evaluate(() => scrollTo(0, 0));
  const tray = await page.locator("#tray-white [data-man=P]").boundingBox();
  await drag(page, [tray.x + tray.width / 2, tray.y + tray.height / 2], await middle(page, "a7"));
  await page.waitForFunction(() => /White's bia on a7 is on or past its promotion rank.* ranks 3 to 5/.test(document.querySelector("#problem").innerText));
  await page.locator("#language").selectOption("th");
  await page.waitForFunction(() => /แถวที่ 3 ถึง 5/.test(document.querySelector("#problem").innerText));
  await page.locator("#language").selectOption("en");
  await cell("a7").focus();
  await page.keyboard.press("Delete");
  await cell("a4").focus();
  await page.keyboard.press("P");
  await answered(page);
  assert.equal(await fenOf(page), "8/8/8/3k4/P7/3K4/8/7R w - - 0 1");
  assert.equal(await text(page, "#ending > .quiet").then((words) => words.split(":")[0]), "KRPvK");
  await page.locator("#editor .random select").nth(0).selectOption("KSPvK");
  await page.locator("#editor .random select").nth(1).selectOption("cursed-win");
  await page.locator("#editor [data-do=random]").click();
  await page.waitForFunction(() => /P/i.test(document.querySelector("#fen").value.split(" ")[0]) && /Drawn by the count/.test(document.querySelector("#verdict").innerText));
  await page.locator("[data-do=setUp]").click();
}

// The statistics of the ending, with the position on the board among them.
async function endings(page) {
  await visit(page, link(START));
  await page.waitForSelector(".histogram rect.mine");
  const response = await page.request.get(`${address}v1/endings/KSMvK`);
  const figures = await response.json();
  const bars = figures.white_to_move.white_wins.filter((n) => n > 0).length;
  assert.equal(await page.locator(".histogram rect.bar, .histogram rect.late, .histogram rect.mine").count(), bars);
  assert.ok(await page.locator(".histogram rect.late").count() > 10);
  await page.locator('.hit[data-moves="50"]').dispatchEvent("click");
  await answered(page);
  await page.waitForFunction(() => /50/.test(document.querySelector("#verdict").innerText));
  await page.locator(".hard").first().click();
  await answered(page);
  await page.waitForFunction((n) => document.querySelector("#verdict").innerText.includes(n), String(figures.rules[0].longest.moves));
}

// The words above the histogram and the numbers below it are apart from each other, from the bars and from the
// edges, wherever the position and the limit are: at both ends, side by side, and on the same bar.
async function labels(page) {
  const response = await page.request.get(`${address}v1/endings/KSMvK`);
  const examples = (await response.json()).examples.white_to_move.white_wins;
  const limit = (await response.json()).rules[0].moves_available.white_to_move;
  const lengths = [1, 2, limit - 3, limit, limit + 1, limit + 4, examples.findLastIndex(Boolean)];
  for (const [width, language] of [[1280, "en"], [1280, "th"], [390, "en"], [390, "th"]]) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((name) => localStorage.setItem("sakmak-language", name), language);
    for (const fen of [...lengths.map((n) => examples[n]), "8/8/8/4n3/8/1k6/8/2K4R w - - 0 1"].filter(Boolean)) {
      await visit(page, link(fen));
      await page.waitForSelector(".histogram rect.hit");
      const overlaps = await page.evaluate(() => {
        const box = (element) => [element.getBoundingClientRect(), element.textContent || element.getAttribute("class")];
        const seen = (element) => element.checkVisibility();
        const words = [...document.querySelectorAll(".histogram text")].filter(seen).map(box);
        const bars = [...document.querySelectorAll(".histogram rect:not(.hit)")].map(box);
        const [edge] = box(document.querySelector(".histogram svg"));
        const meet = ([a], [b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        const found = words.filter(([at]) => at.left < edge.left - 1 || at.right > edge.right + 1).map(([, text]) => `${text} beyond the edge`);
        words.forEach((one, i) => {
          for (const other of [...words.slice(i + 1), ...bars]) if (meet(one, other)) found.push(`${one[1]} over ${other[1]}`);
        });
        return found;
      });
      assert.deepEqual(overlaps, [], `${fen} at ${width}, ${language}`);
    }
  }
  await page.evaluate(() => localStorage.setItem("sakmak-language", "en"));
  await page.setViewportSize({ width: 1280, height: 900 });
  await visit(page, link(START));
}

const GAMES = `[Event "<img src=x onerror=alert(1)>"]
[White "ก"]
[Variant "Makruk"]
[FEN "8/8/8/3k4/8/3K4/3R4/8 w - - 0 40"]

40. Ra2 Kc5 41. Ra1 Kd5 42. Ra4 Ke5 43. Re4+ Kd5 44. Re5+ Kxe5 1/2-1/2

[Variant "Sittuyin"]

1. e4 *

[Variant "Makruk"]

1. e4 Rz9 *
`;

// A PGN is chosen or dropped: its games are listed, and each move that the tables cover shows its
// position with the count.
async function games(page) {
  await visit(page, link(START));
  const before = asked.length;
  const pgn = (name, text) => ({ name, mimeType: "application/x-chess-pgn", buffer: Buffer.from(text) });
  await page.locator("#pgn").setInputFiles(pgn("games.pgn", GAMES));
  await page.waitForSelector("#games .list button");
  const requests = asked.slice(before).filter((url) => url.includes("/v1/annotate"));
  assert.equal(requests.length, 1, "one request");
  const entries = await page.locator("#games .list button").allInnerTexts();
  assert.equal(entries.length, 3, "the games are listed");
  assert.match(entries[0], /^1\. ก – \? 1\/2-1\/2 1 \?\?$/);
  assert.match(entries[1], /not annotated/);
  assert.match(entries[2], /not in the tables/);
  assert.equal(await page.locator("#games img").count(), 0, "names are text");
  // As the server says.
  const response = await page.request.post(`${address}v1/annotate`, { data: GAMES, headers: { Accept: "application/json", "Content-Type": "text/plain" } });
  const document = JSON.parse((await response.text()).split("\n")[0]);
  assert.deepEqual(await page.locator("#games .wrong").allInnerTexts(), document.mistakes.map((ply) => `${document.positions[ply].move.san}??`));
  assert.match(await text(page, "#games .facts"), /Pieces’ honor from the beginning on: the count begins at 4, with limit 16\./);
  for (const [ply, said] of [[1, "3"], [4, "5"], [5, "5"], [7, "6"]]) {
    await page.locator(`#games button[data-ply="${ply}"]`).click();
    await answered(page);
    assert.equal(await fenOf(page), document.positions[ply].fen, "the position of the ply");
    assert.equal(await text(page, "#count .big"), said, `the count at ply ${ply}`);
    assert.equal(await page.locator("#games [aria-current=true]").getAttribute("data-ply"), String(ply));
  }
  // The board is visible beside the moves that are clicked.
  const [board, move] = [await page.locator("#board").boundingBox(), await page.locator("#games button[data-ply='7']").boundingBox()];
  assert.ok(move.y > board.y - 50 && move.y < board.y + board.height, `the board is at ${board.y}, the move at ${move.y}`);
  await page.screenshot({ path: path.join(shots, "games.png"), fullPage: true });
  // The game is now the explorer's.
  await page.keyboard.press("ArrowLeft");
  await answered(page);
  assert.equal(await fenOf(page), document.positions[6].fen);
  assert.equal(await page.locator("#games [aria-current=true]").getAttribute("data-ply"), "6");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#games [data-do=annotated]").click()]);
  assert.match(fs.readFileSync(await download.path(), "utf8"), /42\. Ra4\?\?[^]*\[%sakmak summary\]/);
  await page.locator("#games .list button").nth(1).click();
  assert.match(await text(page, "#games .game"), /Sittuyin/);
  // The page gives the reason why the tables cover no position of a game.
  await page.locator("#games .list button").nth(2).click();
  assert.match(await text(page, "#games .facts"), /cover no position of this game\. (Bia are on the board to its end\.|At its end 32 men are left, and the tables here cover up to \d\.)/);
  // A file may be dropped anywhere.
  await page.evaluate((dropped) => {
    const data = new DataTransfer();
    data.items.add(new File([dropped], "dropped.pgn"));
    document.querySelector("#board").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, '[FEN "8/8/8/3k4/8/3K4/3R4/8 b - - 0 7"]\n\n7... Kc5 *');
  await page.waitForFunction(() => /7… Kc5/.test(document.querySelector("#games .plies")?.innerText.replaceAll("\u00a0", " ")));
  assert.ok(await page.locator("#games .list").isHidden(), "one game needs no list");
  await page.locator("#language").selectOption("th");
  assert.match(await text(page, "#games"), /เกม[^]*ศักดิ์หมาก/);
  await page.locator("#language").selectOption("en");
  // A file without a game is refused with a sentence; one that is too large, without a request.
  await page.locator("#pgn").setInputFiles(pgn("none.pgn", "\n"));
  await page.waitForFunction(() => /no game/.test(document.querySelector("#games .problem").innerText));
  const last = asked.length;
  await page.locator("#pgn").setInputFiles(pgn("large.pgn", "x".repeat((8 << 20) + 1)));
  await page.waitForFunction(() => /8 MiB/.test(document.querySelector("#games .problem").innerText));
  assert.equal(asked.length, last);
}

// A count that is over is described as the command line describes it.
async function overs(page) {
  await visit(page, link("7k/8/6K1/R7/8/8/8/8 w - 32 33 60"));
  assert.match(await text(page, "#count .sentence"), /The count is over: 17 of 16 said/);
  assert.equal(await text(page, "#count .big"), "17");
  assert.match(await text(page, "#verdict"), /Drawn by the count: White could mate in 1/);
  assert.equal(await page.locator("#sets [data-rules=makruk]").getAttribute("data-worth"), "count");
  assert.match(await text(page, "#moves tbody"), /count draw/);
}

// A number said under one rule set is dropped under another, and can be restored.
async function undoes(page) {
  await visit(page, link("8/8/8/3k4/8/3K4/2SM4/8 w - 88 10 1"));
  assert.match(await text(page, "#sets [data-rules=asean] .detail"), /if the count begins now/);
  assert.equal(await page.locator("#sets [data-rules=makruk] .detail").innerText(), "needs 26, has 40");
  await page.locator("#sets [data-rules=asean]").click();
  await answered(page);
  assert.match(await fenOf(page), / w - - 0 1$/, "the number is not carried over");
  await page.locator("[data-do=undo]").click();
  await answered(page);
  assert.match(await fenOf(page), / w - 88 10 1$/);
  for (let i = 0; i < 3; i += 1) {
    await page.locator("[data-do=best]").click();
    await answered(page);
  }
  await page.locator("[data-do=first]").click();
  await answered(page);
  for (const act of [() => page.keyboard.press("+"), () => page.locator("#sets [data-rules=ouk]").click(), () => page.keyboard.press("x"), () => page.locator("#moves tbody tr:last-child button:not([data-do])").click()]) {
    await act();
    await answered(page);
    assert.ok(await page.locator("#line .ply").count() < 3);
    await page.keyboard.press("Control+z");
    await answered(page);
    assert.equal(await page.locator("#line .ply").count(), 3, "the later moves are back");
    assert.match(await fenOf(page), / w - 88 10 1$/);
  }
  // Going back from an edit does not leave the page.
  await page.locator("[data-do=setUp]").click();
  await page.locator("[data-do=clear]").click();
  await page.locator("[data-do=mirror]").click();
  await page.locator("[data-do=setUp]").click();
  await page.goBack();
  await answered(page);
  assert.match(await fenOf(page), / w - 88 10 1$/);
}

// Sentences for a win thrown away, a mate, and a win of Black.
async function words(page) {
  await visit(page, link("8/8/8/8/8/2k5/8/K6R w - - 0 1"));
  assert.match((await page.locator("#moves tbody tr").allInnerTexts()).join("\n"), /throws the win away/);
  await visit(page, link("R6k/8/6K1/8/8/8/8/8 b - 32 20 60"));
  assert.deepEqual(await page.locator("#sets .worth").allInnerTexts(), ["checkmate", "checkmate", "checkmate"]);
  assert.match(await page.title(), /KRvK: Black is checkmated/);
  // The count concerns the winner's chances: green where it wins, whichever side is to move.
  await visit(page, link("8/8/8/3k4/8/3K4/2SM4/8 b - - 0 1"));
  const rail = await page.locator("#said-so-far").evaluate((input) => input.style.getPropertyValue("--rail"));
  assert.match(rail, /var\(--win\)[^]*var\(--count\)/);
  assert.doesNotMatch(rail, /--loss/);
  // Nothing is drawn over the bars, and each position has one card.
  await visit(page, link("8/8/8/4n3/8/1k6/8/2K4R w - - 0 1"));
  await page.waitForSelector(".hard");
  const fens = await page.locator(".hard").evaluateAll((cards) => cards.map((card) => card.dataset.fen));
  assert.equal(new Set(fens).size, fens.length);
  assert.match(await text(page, ".hards"), /to mate or the last man/);
  // A drawn position has no best line to play.
  assert.equal(await page.locator("[data-do=line]").getAttribute("aria-disabled"), "true");
  // Without the browser's permission to copy, the text is selected instead.
  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("no")); });
  await page.locator(".other button").click();
  assert.equal(await page.evaluate(() => getSelection().toString()), await text(page, "#fen-other"));
}

// The count is spoken where the browser can speak.
async function speaks(page) {
  await page.addInitScript(() => {
    window.spoken = [];
    Object.defineProperty(window, "speechSynthesis", { value: { cancel() {}, speak: (words) => window.spoken.push([words.text, words.lang]) } });
  });
  await visit(page, link("8/8/8/8/8/2k5/8/K6R b - - 0 1"));
  await page.locator("#aloud").check();
  await page.locator("#moves tbody tr th button:not([data-do])").first().click();
  await answered(page);
  assert.deepEqual(await page.evaluate(() => window.spoken), [["4", "en-GB"]]);
  await page.locator("#aloud").uncheck();
}

// Thai, when chosen.
async function tongues(page) {
  await visit(page, link(START));
  await page.locator("#language").selectOption("th");
  assert.match(await text(page, "#count"), /ศักดิ์หมาก/);
  assert.match(await text(page, "#moves"), /ชนะ/);
  assert.equal(await page.evaluate(() => document.documentElement.lang), "th");
  await page.locator("#men-style").selectOption("letters");
  await page.screenshot({ path: path.join(shots, "thai-letters.png"), fullPage: true });
  await page.locator("#men-style").selectOption("western");
  await page.screenshot({ path: path.join(shots, "thai-western.png") });
  await page.locator("#men-style").selectOption("thai");
  await page.locator("#language").selectOption("en");
}

async function pictures(page) {
  for (const [name, width, height, scheme, media] of [
    ["desktop", 1280, 900, "light", "screen"],
    ["desktop-dark", 1280, 900, "dark", "screen"],
    ["phone", 390, 844, "light", "screen"],
    ["phone-dark", 390, 844, "dark", "screen"],
    ["print", 794, 1123, "light", "print"],
  ]) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme, media });
    for (const [which, fen] of [["count", "8/8/8/3k4/8/3K4/2SM4/8 w - 88 25 1"], ["both", "8/8/8/4n3/8/1k6/8/2K4R w - - 0 1"]]) {
      await visit(page, link(fen));
      await page.waitForSelector("#ending h2", { state: "attached" });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${name}: the page is ${wide} pixels too wide`);
      await page.screenshot({ path: path.join(shots, `${name}-${which}.png`), fullPage: name !== "desktop" });
    }
  }
  await page.emulateMedia({ colorScheme: "light", media: null });
  await prints(page);
  if (picture) {
    await page.setViewportSize({ width: 1160, height: 760 });
    await visit(page, link("8/8/8/3k4/8/3K4/2SM4/8 w - 88 25 1"));
    await page.locator("#moves tbody tr").first().hover();
    await page.screenshot({ path: picture });
    const { size } = fs.statSync(picture);
    assert.ok(size < 150_000, `the picture has ${size} bytes`);
  }
}

// On paper a position has one page, with all of its moves.
async function prints(page) {
  for (const fen of ["8/8/8/3k4/8/3K4/2SM4/8 w - 88 25 1", "8/8/8/4n3/8/1k6/8/2K4R w - - 0 1"]) {
    await visit(page, link(fen));
    await page.waitForSelector("#ending h2", { state: "attached" });
    for (const format of ["A4", "Letter"]) {
      const paper = await page.pdf({ format, margin: { top: "1cm", bottom: "1cm", left: "1cm", right: "1cm" } });
      const pages = paper.toString("latin1").match(/\/Type \/Page\b(?!s)/g).length;
      assert.ok(pages === 1, `${fen} has ${pages} pages of ${format}`);
    }
  }
}

// A phone: men are dragged and tapped.
async function phone() {
  const { context, page } = await open("phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, locale: "th-TH" });
  await visit(page, link(START));
  assert.equal(await page.evaluate(() => document.documentElement.lang), "th", "by the browser's language");
  const touch = await context.newCDPSession(page);
  const at = ([x, y]) => [{ x, y }];
  const [from, to] = [await middle(page, "d2"), await middle(page, "e3")];
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(from) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at([from[0] + 15, from[1] - 10]) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(to) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.waitForFunction(() => document.querySelector("#fen").value.includes(" b "));
  await answered(page);
  await page.touchscreen.tap(...await middle(page, "d5"));
  await page.touchscreen.tap(...await middle(page, "d6"));
  await page.waitForFunction(() => document.querySelectorAll("#line .ply").length === 2);
  await answered(page);
  // From the tray to the board.
  await page.locator("[data-do=setUp]").tap();
  const met = await page.locator("#tray-white [data-man=M]").boundingBox();
  const start = [met.x + met.width / 2, met.y + met.height / 2];
  const end = await middle(page, "h1");
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(start) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at([start[0], start[1] - 30]) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(end) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.waitForFunction(() => document.querySelector("#fen").value.split(" ")[0].endsWith("7M"));
  await page.screenshot({ path: path.join(shots, "phone-editor.png"), fullPage: true });
  await context.close();
}

// No motion for users who prefer none.
async function prefers() {
  const { context, page } = await open("still", { reducedMotion: "reduce" });
  await visit(page, link(START));
  const moving = await page.evaluate(() => [...document.querySelectorAll("*")].filter((element) => {
    const { transitionDuration, animationName } = getComputedStyle(element);
    return transitionDuration.split(",").some((time) => parseFloat(time) > 0) || animationName !== "none";
  }).length);
  assert.equal(moving, 0);
  await context.close();
}

main().catch((error) => {
  console.error(error);
  if (noise.length) console.error(noise.join("\n"));
  process.exit(1);
});
