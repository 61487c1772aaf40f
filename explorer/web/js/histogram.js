// The wins of an ending by the moves they take, as bars; each bar opens a position.

import { Button, el, fill, mark, write } from "./dom.js";
import { svg } from "./men.js";
import { number, sideWord, t } from "./words.js";

/** The height of the bars, of the space above them, and of the numbers below. */
const [HEIGHT, TOP, BOTTOM] = [150, 34, 22];
/** Half the width of a number below the bars. */
const EDGE = 8;

export class Histogram {
  /** Calls `open(fen)` with the example position of a bar when the user selects the bar. */
  constructor(open) {
    this.open = open;
    this.logarithmic = false;
    this.title = el("span");
    this.toggle = new Button(() => {
      this.logarithmic = !this.logarithmic;
      this.show(this.shown);
    }, { class: "small" });
    this.chart = svg("svg", { role: "group" });
    this.parts = ["g", "g", "path", "text", "text"].map((name) => this.chart.appendChild(svg(name)));
    const [bars, numbers, limit, limitText, mineText] = this.parts;
    Object.assign(this, { bars, numbers, limit, limitText, mineText });
    limit.setAttribute("class", "limit");
    limitText.setAttribute("class", "limit");
    mineText.setAttribute("class", "mine");
    this.chart.addEventListener("keydown", (event) => this.key(event));
    this.help = el("p", { class: "quiet help" });
    this.element = el("div", { class: "histogram" }, el("h3", {}, this.title, " ", this.toggle.element), this.chart, this.help);
  }

  /**
   * `wins` is the number of positions for each number of moves, and `examples` a FEN of one of
   * them. `limit` is the number of moves that the count leaves, `mine` the number of moves in the
   * position on the board.
   */
  show(shown) {
    this.shown = shown;
    const { wins, examples, limit, mine, turn } = shown;
    const last = wins.findLastIndex((n) => n > 0);
    this.element.hidden = last < 0;
    if (last < 0) return;
    const name = t("histogram", { side: sideWord(turn) });
    write(this.title, name);
    this.toggle.show({ text: t("logScale"), pressed: String(this.logarithmic) });
    write(this.help, t("histogramHelp"));
    // Letters stay readable on a phone.
    this.width = Math.min(760, Math.max(300, document.getElementById("ending").clientWidth - 30));
    this.step = this.width / (last + 1);
    mark(this.chart, "viewBox", `0 0 ${this.width} ${TOP + HEIGHT + BOTTOM}`);
    mark(this.chart, "aria-label", name);
    const most = Math.max(...wins);
    const share = (n) => (this.logarithmic ? Math.log1p(n) / Math.log1p(most) : n / most);
    const stop = examples[mine] ? mine : examples.findLastIndex(Boolean);
    const lengths = [...wins.keys()].filter((n) => wins[n] > 0 && n <= last);
    fill(this.bars, lengths, () => this.bar(), (bar, n) => this.update(bar, n, share(wins[n]), n === stop));
    fill(this.numbers, [...wins.keys()].filter((n) => n <= last && n % (last > 30 ? 10 : 5) === 0), () => svg("text"), (text, n) => {
      // Keeps the first and the last number inside the picture.
      mark(text, "x", Math.min(this.width - EDGE, Math.max(EDGE, (n + 0.5) * this.step)));
      mark(text, "y", TOP + HEIGHT + 15);
      write(text, String(n));
    });
    this.showLimit(limit !== null && limit <= last ? limit : null);
    this.showMine(mine !== null && wins[mine] ? mine : null);
  }

  bar() {
    const group = svg("g");
    const [bar, hit] = [svg("rect"), svg("rect", { class: "hit" })];
    hit.append(svg("title"));
    hit.addEventListener("click", () => {
      const example = this.shown.examples[Number(hit.dataset.moves)];
      if (example) this.open(example);
    });
    group.append(bar, hit);
    return group;
  }

  update(group, n, share, stop) {
    const { wins, examples, limit, mine } = this.shown;
    const [bar, hit] = group.children;
    const tall = Math.max(1.5, share * HEIGHT);
    const place = { x: n * this.step + this.step * 0.1, y: TOP + HEIGHT - tall, width: this.step * 0.8, height: tall, rx: Math.min(2, this.step / 5) };
    for (const [key, value] of Object.entries(place)) mark(bar, key, value);
    mark(bar, "class", n === mine ? "mine" : limit !== null && n > limit ? "late" : "bar");
    for (const [key, value] of Object.entries({ x: n * this.step, y: TOP, width: this.step, height: HEIGHT })) mark(hit, key, value);
    const title = t("bar", { n, positions: number(wins[n]) });
    write(hit.firstChild, title);
    mark(hit, "data-moves", n);
    mark(hit, "role", examples[n] ? "button" : null);
    mark(hit, "aria-label", examples[n] ? title : null);
    mark(hit, "tabindex", examples[n] ? (stop ? "0" : "-1") : null);
  }

  showLimit(limit) {
    for (const part of [this.limit, this.limitText]) part.style.display = limit === null ? "none" : "";
    if (limit === null) return;
    const x = (limit + 1) * this.step;
    mark(this.limit, "d", `M${x} ${TOP - 18}V${TOP + HEIGHT}`);
    place(this.limitText, t("limitLine", { n: limit }), x, TOP - 22, this.width);
  }

  /** Labels the position on the board, in the space above the bars. */
  showMine(mine) {
    this.mineText.style.display = mine === null ? "none" : "";
    if (mine !== null) place(this.mineText, `▾ ${t("thisPosition")}`, (mine + 0.5) * this.step, TOP - 6, this.width);
  }

  /** The tab key stops once at the bars; the arrow keys move from bar to bar. */
  key(event) {
    const hits = [...this.chart.querySelectorAll(".hit[role]")];
    const at = hits.indexOf(event.target);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: hits.length - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") event.target.dispatchEvent(new Event("click"));
    else if (next === undefined) return;
    else if (hits[next]) {
      event.target.setAttribute("tabindex", "-1");
      hits[next].setAttribute("tabindex", "0");
      hits[next].focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** A text that ends before x or, if there is more room, begins after x. */
function place(text, words, x, y, width) {
  const left = x < width / 2;
  write(text, words);
  mark(text, "x", left ? x + 4 : x - 4);
  mark(text, "y", y);
  text.style.textAnchor = left ? "start" : "end";
}
