// Uses the page by mouse, by touch or by keys alone.
"use strict";
const assert = require("node:assert/strict");
const { quiet, tabTo } = require("./browse.js");

const cell = (square) => `[role=gridcell][data-square="${square}"]`;

class Mouse {
  constructor(page) {
    this.page = page;
  }

  press(selector) {
    return this.page.locator(selector).click();
  }

  choose(selector, value) {
    return this.page.locator(selector).selectOption(value);
  }

  check(selector) {
    return this.page.locator(selector).check();
  }

  /** Points at a square. */
  square(name) {
    return this.page.locator(cell(name)).click();
  }

  async move(uci) {
    await this.square(uci.slice(0, 2));
    await this.square(uci.slice(2, 4));
    await quiet(this.page);
  }
}

class Touch extends Mouse {
  press(selector) {
    return this.page.locator(selector).tap();
  }

  square(name) {
    return this.page.locator(cell(name)).tap();
  }
}

class Keys extends Mouse {
  async press(selector) {
    await tabTo(this.page, selector);
    await this.page.keyboard.press("Enter");
  }

  async choose(selector, value) {
    await tabTo(this.page, selector);
    await this.page.keyboard.press("Home");
    for (let i = 0; i < 60 && await this.page.locator(selector).inputValue() !== value; i += 1) await this.page.keyboard.press("ArrowDown");
  }

  async check(selector) {
    // The tab key stops once at a group of choices; the arrow keys go from choice to choice.
    const name = await this.page.locator(selector).getAttribute("name");
    await tabTo(this.page, `input[name="${name}"]`);
    for (let i = 0; i < 9 && !await this.page.locator(selector).isChecked(); i += 1) await this.page.keyboard.press("ArrowDown");
  }

  async square(name) {
    const at = () => this.page.evaluate(() => document.activeElement.dataset.square ?? "");
    if (!await at()) await tabTo(this.page, "[role=gridcell]");
    const flipped = (await this.page.locator("[role=gridcell]").first().getAttribute("data-square")) === "h1";
    const way = (towards) => (towards !== flipped);
    let guard = 0;
    for (let now = await at(); now !== name; now = await at()) {
      assert.ok((guard += 1) < 40, `${name} cannot be reached by the arrow keys from ${now}`);
      const key = now[0] !== name[0] ? (way(now[0] < name[0]) ? "ArrowRight" : "ArrowLeft") : way(now[1] < name[1]) ? "ArrowUp" : "ArrowDown";
      await this.page.keyboard.press(key);
    }
    await this.page.keyboard.press("Enter");
  }
}

module.exports = { HANDS: { mouse: Mouse, touch: Touch, keys: Keys } };
