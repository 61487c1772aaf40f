// The panel of the count: its kind, the number said, and the result at every number.

import { $, Button, el, mark, write } from "./dom.js";
import { availableAt, categoryAt, colour, hasBia, isCountOver, isOver, numberSaid } from "./reading.js";
import { Term } from "./terms.js";
import { sideWord, t } from "./words.js";

export class CountPanel {
  /** `on` has `slide(number)`, called at every step (null if the count has not begun), and `settle(number)`. */
  constructor(on) {
    this.on = on;
    this.doc = null;
    const host = $("count");
    this.title = el("h2", { id: "count-name" });
    this.kind = el("p", { class: "kind" });
    [this.kindTerm, this.limit, this.saidTerm] = [new Term(), el("span"), new Term()];
    this.kind.append(this.kindTerm.element, this.limit);
    this.big = el("output", { class: "big", for: "said-so-far" });
    this.slider = el("input", { type: "range", id: "said-so-far", step: 1 });
    this.less = new Button(() => this.step(-1), { class: "step" });
    this.more = new Button(() => this.step(1), { class: "step" });
    this.label = el("label", { for: "said-so-far", class: "unseen" });
    this.ends = el("div", { class: "ends", "aria-hidden": "true" }, el("span"), el("span"));
    this.sentence = el("p", { class: "sentence" });
    this.left = el("p", { class: "left" });
    this.rows = el("div", { class: "slide" }, this.less.element, el("div", { class: "rail" }, this.slider, this.ends), this.more.element);
    host.replaceChildren(
      el("div", { class: "head" }, el("div", {}, this.title, this.kind), el("div", { class: "so-far" }, this.saidTerm.element, this.label, this.big)),
      this.rows,
      this.sentence,
      this.left,
    );
    this.slider.addEventListener("input", () => this.moved(false));
    this.slider.addEventListener("change", () => this.moved(true));
    // Here the left and right keys move the slider, not the game.
    this.slider.addEventListener("keydown", (event) => {
      if (/^(Arrow|Home|End|Page)/.test(event.key)) event.stopPropagation();
    });
  }

  /** The number that the slider shows, null if the count has not begun. */
  get number() {
    const value = Number(this.slider.value);
    return value < this.doc.numbers.from ? null : value;
  }

  /** Shows the count of a position. The panel is empty until the answer arrives. */
  show({ doc, n, refused }) {
    const host = $("count");
    host.hidden = Boolean(refused);
    this.doc = doc;
    write(this.title, t("theCount"));
    write(this.label, t("saidSoFar"));
    this.saidTerm.show(t("saidSoFar"), "said");
    this.less.show({ text: "−", name: t("slowerCount"), off: !doc });
    this.more.show({ text: "+", name: t("fasterCount"), off: !doc });
    if (!doc) {
      for (const element of [this.big, this.sentence, this.left]) write(element, "");
      this.slider.style.removeProperty("--rail");
      mark(this.slider, "aria-valuetext", t("loading"));
      mark(host, "data-worth", null);
      return;
    }
    const { numbers } = doc;
    const none = !numbers || isOver(doc);
    host.classList.toggle("none", none);
    this.rows.hidden = none;
    if (none) this.showNone();
    else this.showNumbers(n);
  }

  /** Shows the kind of the count, and its limit. */
  showKind(kind, limit) {
    this.kind.hidden = !kind;
    if (!kind) return;
    this.kindTerm.show(t(kind), kind);
    write(this.limit, `, ${t("countTo", { limit })}`);
  }

  showNone() {
    const { answer: { fen, count }, ending } = this.doc;
    this.showKind(count?.kind, count?.limit);
    write(this.sentence, t(isOver(this.doc) ? "noCount" : hasBia(fen) ? "noCountBia" : ending.bare ? "noCount" : "noCountBoth"));
    write(this.left, "");
    write(this.big, "–");
    mark($("count"), "data-worth", null);
  }

  showNumbers(n) {
    const { doc } = this;
    const { numbers } = doc;
    const said = n === undefined ? numberSaid(doc) : n;
    const over = n === undefined && isCountOver(doc);
    this.showKind(doc.ending.bare ? "pieces-honor" : "boards-honor", numbers.limit);
    this.slider.min = numbers.from - 1;
    this.slider.max = numbers.to;
    this.slider.value = said ?? numbers.from - 1;
    write(this.ends.firstChild, t("notBegun"));
    write(this.ends.lastChild, String(numbers.to));
    this.paint();
    write(this.big, said === null ? "–" : String(said));
    mark(this.slider, "aria-valuetext", said === null ? t("notBegun") : t("numberSaid", { number: said, limit: numbers.limit }));
    write(this.sentence, over ? t("countOver", { number: said, limit: numbers.limit }) : this.threshold());
    const { winner } = doc;
    const left = winner && availableAt(doc, winner, n);
    write(this.left, winner === null || left === null ? ""
      : t(left === 0 ? "left0" : left === 1 ? "left1" : "left", { side: sideWord(winner), moves: left }));
    mark($("count"), "data-worth", won(categoryAt(doc, n)));
  }

  /** Colours the slider by the result at each number. */
  paint() {
    const { numbers } = this.doc;
    const [low, high] = [numbers.from - 1, numbers.to];
    const part = (n) => `${(100 * (n - low)) / Math.max(1, high - low)}%`;
    const stops = [[numbers.fresh.category, low, low], ...numbers.runs.map((run) => [run.category, run.from, run.to])];
    const colours = stops.map(([category, from, to]) => `var(--${won(category)}) ${part(Math.max(low, from - 0.5))} ${part(Math.min(high, to + 0.5))}`);
    this.slider.style.setProperty("--rail", `linear-gradient(to right, ${colours.join(", ")})`);
  }

  /** A sentence such as "Won up to 12, drawn from 13." */
  threshold() {
    const { numbers, winner } = this.doc;
    const all = [numbers.fresh.category, ...numbers.runs.map((run) => run.category)];
    const [first] = all;
    const side = winner ? sideWord(winner) : "";
    if (all.every((category) => category === first)) {
      const key = { win: "wonAlways", loss: "wonAlways", draw: "drawAlways" }[first] ?? "countDrawAlways";
      return t(key, { side });
    }
    if (all.includes(null)) return t("numbersUndecided");
    const last = numbers.runs.filter((run) => won(run.category) === "win").at(-1);
    return last ? t("wonUpTo", { n: last.to, m: last.to + 1, side }) : t("wonFresh", { side });
  }

  step(by) {
    if (!this.doc?.numbers || this.rows.hidden) return;
    this.slider.value = Number(this.slider.value) + by;
    this.moved(true);
  }

  moved(settled) {
    if (!this.doc?.numbers) return;
    if (settled) this.on.settle(this.number);
    else this.on.slide(this.number);
  }
}

/** The colour of a category for the side that may win, since the count matters only to that side. */
function won(category) {
  const worth = colour(category);
  return worth === "loss" ? "win" : worth;
}
