// The ending's figures: how often it is won in time, how long that takes, and its hardest positions.

import { thumbnail } from "./board.js";
import { $, el } from "./dom.js";
import { format, letteringOf, parse, swapped } from "./fen.js";
import { svg } from "./men.js";
import { number, sideWord, t } from "./words.js";

const percent = (part, of) => {
  const share = (100 * part) / Math.max(1, of);
  if (share > 0 && share < 0.1) return "<0.1 %";
  if (share < 100 && share > 99.9) return ">99.9 %";
  return `${share.toFixed(1)} %`;
};

export class EndingPanel {
  /** `on` has `open(fen)`. */
  constructor(on) {
    this.on = on;
    this.logarithmic = false;
  }

  /** Nothing to show. */
  clear() {
    $("ending").replaceChildren();
  }

  /** Shows the figures of the ending that a position is of. */
  show(figures, doc, rules) {
    this.last = [figures, doc, rules];
    const { swapped: other } = doc.ending;
    const turn = doc.answer.side_to_move === "white" ? 0 : 1;
    // The figures are written for the side named first; here it may be Black.
    const side = ["white_to_move", "black_to_move"][other ? 1 - turn : turn];
    const counts = figures[side];
    const overlay = figures.rules.find((set) => set.rules === rules);
    $("ending").replaceChildren(
      el("h2", {}, t("ending")),
      el("p", { class: "quiet" }, t("endingOf", {
        material: figures.material,
        men: figures.men,
        legal: number(figures.white_to_move.legal + figures.black_to_move.legal),
      })),
      this.results(overlay, side, doc),
      this.histogram(figures, counts, side, doc, overlay),
      this.hardest(figures, other),
    );
  }

  results(overlay, side, doc) {
    if (!overlay) return el("p");
    const results = overlay[side];
    const total = Object.values(results).reduce((sum, n) => sum + n, 0);
    const parts = [
      ["win", "wonInTime", results.win],
      ["count", "countDrawn", results.cursed_win + results.blessed_loss],
      ["draw", "drawn", results.draw],
      ["loss", "lostInTime", results.loss],
    ].filter(([, , n]) => n > 0);
    const bar = el("div", { class: "shares" }, parts.map(([worth, , n]) => {
      const piece = el("span");
      piece.dataset.worth = worth;
      piece.style.flexGrow = n / total;
      return piece;
    }));
    const legend = el("ul", { class: "legend" }, parts.map(([worth, key, n]) => {
      const item = el("li", {}, el("b", {}, percent(n, total)), ` ${t(key)}`);
      item.dataset.worth = worth;
      return item;
    }));
    return el("div", {}, el("h3", {}, `${t(overlay.rules)}, ${t("results", { side: sideWord(doc.answer.side_to_move) })}`), bar, legend);
  }

  histogram(figures, counts, side, doc, overlay) {
    const { swapped: other } = doc.ending;
    // Whose wins: those of the side that wins here, else of the side with more of them.
    const whites = counts.white_wins.reduce((sum, n) => sum + n, 0);
    const blacks = counts.black_wins.reduce((sum, n) => sum + n, 0);
    let winner = doc.winner === null ? null : (doc.winner === "white") !== other ? "white" : "black";
    winner ??= whites >= blacks ? "white" : "black";
    const wins = counts[`${winner}_wins`];
    const examples = figures.examples[side][`${winner}_wins`];
    const last = wins.findLastIndex((n) => n > 0);
    const box = el("div", { class: "histogram" });
    if (last < 0) return box;
    const toMove = (side === "white_to_move") === (winner === "white");
    const moves = overlay?.moves_available;
    const limit = figures.material.endsWith("vK") || overlay?.metric === "dtm" ? (toMove ? moves?.white_to_move : moves?.black_to_move) : null;
    const mine = doc.winner !== null ? doc.answer.dtm : null;
    const most = Math.max(...wins);
    const scale = this.logarithmic ? (n) => (n > 0 ? Math.log1p(n) / Math.log1p(most) : 0) : (n) => n / most;
    // Letters stay readable on a phone.
    const [width, height, bottom] = [Math.min(760, Math.max(300, $("ending").clientWidth - 30)), 170, 22];
    const step = width / (last + 1);
    const chart = svg("svg", { viewBox: `0 0 ${width} ${height + bottom}`, role: "group", "aria-label": t("histogram", { side: sideWord(doc.answer.side_to_move) }) });
    for (let n = 0; n <= last; n += 1) {
      if (!wins[n]) continue;
      const tall = Math.max(1.5, scale(wins[n]) * (height - 14));
      const bar = svg("rect", { x: n * step + step * 0.1, y: height - tall, width: step * 0.8, height: tall, rx: Math.min(2, step / 5) });
      const late = limit !== null && limit !== undefined && n > limit;
      bar.setAttribute("class", n === mine ? "mine" : late ? "late" : "bar");
      const title = svg("title");
      title.textContent = t("bar", { n, positions: number(wins[n]) });
      bar.append(title);
      const hit = svg("rect", { x: n * step, y: 0, width: step, height, class: "hit" });
      hit.append(title.cloneNode(true));
      const example = examples[n];
      if (example) {
        const open = () => this.on.open(this.turned(example, other));
        hit.setAttribute("role", "button");
        hit.setAttribute("tabindex", n === (mine ?? last) ? "0" : "-1");
        hit.setAttribute("aria-label", title.textContent);
        hit.dataset.moves = n;
        hit.addEventListener("click", open);
      }
      chart.append(bar, hit);
    }
    // One stop for the tab key; the arrows go from bar to bar.
    chart.addEventListener("keydown", (event) => {
      const hits = [...chart.querySelectorAll(".hit[role]")];
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
    });
    for (let n = 0; n <= last; n += last > 30 ? 10 : 5) {
      const text = svg("text", { x: (n + 0.5) * step, y: height + 15 });
      text.textContent = n;
      chart.append(text);
    }
    if (limit !== null && limit !== undefined && limit <= last) {
      const x = (limit + 1) * step;
      chart.append(svg("path", { d: `M${x} 0V${height}`, class: "limit" }));
      const text = svg("text", { x: x - 4, y: 10, class: "limit end" });
      text.textContent = t("limitLine", { n: limit });
      chart.append(text);
    }
    if (mine !== null && wins[mine]) {
      const text = svg("text", { x: Math.min(width - 30, Math.max(30, (mine + 0.5) * step)), y: Math.max(22, height - scale(wins[mine]) * (height - 14) - 5), class: "mine" });
      text.textContent = t("thisPosition");
      chart.append(text);
    }
    const toggle = el("button", { type: "button", class: "small", "aria-pressed": String(this.logarithmic), onclick: () => {
      this.logarithmic = !this.logarithmic;
      this.show(...this.last);
    } }, t("logScale"));
    box.append(el("h3", {}, t("histogram", { side: sideWord(doc.answer.side_to_move) }), " ", toggle), chart, el("p", { class: "quiet help" }, t("histogramHelp")));
    return box;
  }

  hardest(figures, other) {
    const seen = new Set();
    const cards = figures.rules.flatMap((set) => [["longest", set.longest], ["longestInside", set.longest_inside_count]].flatMap(([key, found]) => {
      if (!found) return [];
      const position = parse(found.fen);
      const fen = format(position);
      if (key === "longest" && seen.has(fen)) return [];
      seen.add(fen);
      const turned = other ? swapped(position) : position;
      return [el("button", { type: "button", class: "hard", onclick: () => this.on.open(this.turned(fen, other), set.rules) },
        thumbnail(turned),
        el("span", {}, el("b", {}, t(set.rules)), el("br"), t(key, { n: found.moves }), el("br"), el("small", {}, t("toMove", { side: sideWord(turned.turn) }))))];
    }));
    return el("div", {}, el("h3", {}, t("hardest")), el("div", { class: "hards" }, cards));
  }

  turned(fen, other) {
    const position = parse(fen);
    return format(other ? swapped(position) : position, letteringOf("makruk"));
  }
}
