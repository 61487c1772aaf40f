// The count: which one, how far it has been said, and what every number makes of the position.

import { $, el } from "./dom.js";
import { sideWord, t } from "./words.js";

/** What a list of runs says for a number. */
export const at = (runs, number) => runs.find((run) => run.from <= number && number <= run.to)?.category ?? null;

const WORTH = { win: "win", "cursed-win": "count", draw: "draw", "blessed-loss": "count", loss: "loss" };
/** The colour of a category. */
export const colour = (category) => WORTH[category] ?? "unknown";

export class CountPanel {
  /** `on` has `slide(number)` for every step, null for a count not begun, and `settle(number)`. */
  constructor(on) {
    this.on = on;
    this.doc = null;
    const host = $("count");
    this.title = el("h2", { id: "count-name" });
    this.kind = el("p", { class: "kind" });
    this.big = el("output", { class: "big", for: "said-so-far" });
    this.slider = el("input", { type: "range", id: "said-so-far", step: 1 });
    this.less = el("button", { type: "button", class: "step", onclick: () => this.step(-1) }, "−");
    this.more = el("button", { type: "button", class: "step", onclick: () => this.step(1) }, "+");
    this.label = el("label", { for: "said-so-far" });
    this.ends = el("div", { class: "ends", "aria-hidden": "true" }, el("span"), el("span"));
    this.sentence = el("p", { class: "sentence" });
    this.left = el("p", { class: "left" });
    this.rows = el("div", { class: "slide" }, this.less, el("div", { class: "rail" }, this.slider, this.ends), this.more);
    host.replaceChildren(
      el("div", { class: "head" }, el("div", {}, this.title, this.kind), el("div", { class: "so-far" }, this.label, this.big)),
      this.rows,
      this.sentence,
      this.left,
    );
    this.slider.addEventListener("input", () => this.moved(false));
    this.slider.addEventListener("change", () => this.moved(true));
    // Left and right are the slider's own here.
    this.slider.addEventListener("keydown", (event) => {
      if (/^(Arrow|Home|End|Page)/.test(event.key)) event.stopPropagation();
    });
  }

  /** The number said, null if the count has not begun. */
  get number() {
    const numbers = this.doc?.numbers;
    if (!numbers) return null;
    const value = Number(this.slider.value);
    return value < numbers.from ? null : value;
  }

  /** Shows the count of a position, said so far. */
  show(doc, said) {
    this.doc = doc;
    this.title.textContent = t("theCount");
    this.label.textContent = t("saidSoFar");
    this.less.setAttribute("aria-label", t("slowerCount"));
    this.less.title = t("slowerCount");
    this.more.setAttribute("aria-label", t("fasterCount"));
    this.more.title = t("fasterCount");
    const { numbers } = doc;
    const { count } = doc.answer;
    const over = doc.answer.checkmate || doc.answer.stalemate || doc.answer.insufficient_material;
    $("count").classList.toggle("none", !numbers || over);
    this.rows.hidden = !numbers || over;
    if (!numbers || over) {
      this.kind.textContent = count ? `${t(count.kind)}, ${t("countTo", { limit: count.limit })}` : "";
      this.sentence.textContent = over || doc.ending.bare ? t("noCount") : t("noCountBoth");
      this.left.textContent = "";
      this.big.textContent = "–";
      return;
    }
    const kind = doc.ending.bare ? "pieces-honor" : "boards-honor";
    this.kind.textContent = `${t(kind)}, ${t("countTo", { limit: numbers.limit })}`;
    this.slider.min = numbers.from - 1;
    this.slider.max = numbers.to;
    this.slider.value = said ?? numbers.from - 1;
    this.ends.firstChild.textContent = t("notBegun");
    this.ends.lastChild.textContent = numbers.to;
    this.paint();
    this.tell();
  }

  /** The rail in the colours of what each number makes of the position. */
  paint() {
    const { numbers } = this.doc;
    const [low, high] = [numbers.from - 1, numbers.to];
    const part = (n) => `${(100 * (n - low)) / Math.max(1, high - low)}%`;
    const stops = [[numbers.fresh.category, low, low], ...numbers.runs.map((run) => [run.category, run.from, run.to])];
    const colours = stops.map(([category, from, to]) => `var(--${colour(category)}) ${part(Math.max(low, from - 0.5))} ${part(Math.min(high, to + 0.5))}`);
    this.slider.style.setProperty("--rail", `linear-gradient(to right, ${colours.join(", ")})`);
  }

  /** What the number makes of the position, in words. */
  tell() {
    const { numbers } = this.doc;
    const n = this.number;
    this.big.textContent = n === null ? "–" : n;
    this.slider.setAttribute("aria-valuetext", n === null ? t("notBegun") : t("numberSaid", { number: n, limit: numbers.limit }));
    this.sentence.textContent = this.threshold();
    const winner = this.doc.winner;
    const left = winner && available(numbers, winner, n);
    this.left.textContent = winner === null || left === null ? ""
      : t(left === 0 ? "left0" : left === 1 ? "left1" : "left", { side: sideWord(winner), moves: left });
    const now = n === null ? numbers.fresh.category : at(numbers.runs, n);
    $("count").dataset.worth = colour(now);
  }

  /** "Won up to 12, drawn from 13." */
  threshold() {
    const { numbers } = this.doc;
    const all = [numbers.fresh.category, ...numbers.runs.map((run) => run.category)];
    const [first] = all;
    const winner = this.doc.winner;
    const side = winner ? sideWord(winner) : "";
    if (all.every((category) => category === first)) {
      const key = { win: "wonAlways", loss: "wonAlways", draw: "drawAlways" }[first] ?? "countDrawAlways";
      return t(key, { side });
    }
    const good = ["win", "loss"];
    const last = numbers.runs.filter((run) => good.includes(run.category)).at(-1);
    const n = last ? last.to : numbers.from - 1;
    return last ? t("wonUpTo", { n, m: n + 1, side }) : t("wonFresh", { side });
  }

  step(by) {
    if (!this.doc?.numbers || this.rows.hidden) return;
    this.slider.value = Number(this.slider.value) + by;
    this.moved(true);
  }

  moved(settled) {
    this.tell();
    if (settled) this.on.settle(this.number);
    else this.on.slide(this.number);
  }
}

/** The moves that a number leaves to a side. */
export function available(numbers, side, n) {
  if (n === null) return numbers.fresh[side];
  return numbers.available[side][n - numbers.from] ?? null;
}
