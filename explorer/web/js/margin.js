// A graph of a game: after each move, the moves that the count left minus the moves needed. Below
// zero the count draws a position that would be won without it.

import { mark, write, el } from "./dom.js";
import { svg } from "./men.js";
import { t } from "./words.js";

const [HEIGHT, TOP, LEFT] = [110, 12, 26];

/** The moves left and the moves needed in a position of a game; null if neither side can win or no count runs. */
export function marginOf({ known }) {
  const left = known?.count?.moves_available ?? null;
  const needed = known ? known.dth ?? known.dtm : null;
  return left === null || needed === null ? null : { left, needed, margin: left - needed };
}

export class MarginGraph {
  /** `on` has `show(ply)` and `name(ply)`, which names a move. */
  constructor(on) {
    this.on = on;
    this.title = el("h3");
    this.chart = svg("svg", { role: "group", class: "margin" });
    this.help = el("p", { class: "quiet" });
    this.element = el("div", {}, this.title, this.chart, this.help);
    this.chart.addEventListener("keydown", (event) => this.key(event));
  }

  /** Shows a game of an annotation. */
  show(game) {
    this.game = game;
    const points = game.positions.map((at, ply) => ({ ply, at: marginOf(at) })).filter(({ at }) => at !== null);
    this.element.hidden = points.length < 2;
    if (points.length < 2) return;
    write(this.title, t("margin"));
    write(this.help, t("marginHelp"));
    mark(this.chart, "aria-label", t("margin"));
    const width = Math.min(560, Math.max(280, document.getElementById("games").clientWidth - 40));
    mark(this.chart, "viewBox", `0 0 ${width} ${HEIGHT + 2 * TOP}`);
    const [first, last] = [points[0].ply, points.at(-1).ply];
    const margins = points.map(({ at }) => at.margin);
    const [low, high] = [Math.min(0, ...margins), Math.max(0, ...margins)];
    const x = (ply) => LEFT + ((ply - first) / Math.max(1, last - first)) * (width - LEFT - 10);
    const y = (margin) => TOP + ((high - margin) / Math.max(1, high - low)) * HEIGHT;
    const parts = [svg("path", { class: "zero", d: `M${LEFT} ${y(0)}H${width}` })];
    for (const value of new Set([low, 0, high])) {
      const text = svg("text", { x: LEFT - 5, y: y(value) + 4 });
      text.textContent = String(value);
      parts.push(text);
    }
    // The line has a gap at positions without a margin.
    const line = points.map(({ ply, at }, i) => `${i === 0 || points[i - 1].ply !== ply - 1 ? "M" : "L"}${x(ply).toFixed(1)} ${y(at.margin).toFixed(1)}`).join("");
    parts.push(svg("path", { class: "course", d: line }));
    for (const { ply, at } of points) {
      const wrong = game.mistakes.includes(ply);
      const place = { cx: x(ply), cy: y(at.margin) };
      if (wrong) parts.push(svg("circle", { ...place, r: 5.5, class: "mistake" }));
      const hit = svg("circle", { ...place, r: 8, class: "hit", role: "button", tabindex: "-1", "data-margin-ply": ply });
      const name = `${ply === 0 ? t("theBeginning") : this.on.name(ply)}${wrong ? "??" : ""}: ${t("needs", { n: at.needed, left: at.left })}`;
      hit.setAttribute("aria-label", name);
      hit.append(svg("title"));
      hit.firstChild.textContent = name;
      hit.addEventListener("click", () => this.on.show(ply));
      parts.push(hit);
    }
    this.here = svg("circle", { r: 4, class: "here" });
    parts.push(this.here);
    this.chart.replaceChildren(...parts);
    this.hits[0].setAttribute("tabindex", "0");
    this.mark(null);
  }

  get hits() {
    return [...this.chart.querySelectorAll(".hit")];
  }

  /** Marks the position that the board shows. */
  mark(ply) {
    const hit = this.hits.find((one) => one.dataset.marginPly === String(ply));
    if (!this.here) return;
    this.here.style.display = hit ? "" : "none";
    if (!hit) return;
    mark(this.here, "cx", hit.getAttribute("cx"));
    mark(this.here, "cy", hit.getAttribute("cy"));
  }

  /** The tab key stops once at the line; the arrow keys move from move to move. */
  key(event) {
    const { hits } = this;
    const at = hits.indexOf(event.target);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: hits.length - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") this.on.show(Number(event.target.dataset.marginPly));
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
