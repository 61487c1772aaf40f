// The statistics of an ending: how often it is won in time, how long that takes, and its hardest positions.

import { thumbnail } from "./board.js";
import { $, el, fill, mark, write } from "./dom.js";
import { format, parse, swapped } from "./fen.js";
import { Histogram } from "./histogram.js";
import { endingsPage, number, sideWord, t } from "./words.js";

const percent = (part, of) => {
  const share = (100 * part) / Math.max(1, of);
  if (share > 0 && share < 0.1) return "<0.1 %";
  if (share < 100 && share > 99.9) return ">99.9 %";
  return `${share.toFixed(1)} %`;
};

const sum = (numbers) => numbers.reduce((all, n) => all + n, 0);

/** A position from the statistics, with the colours of the board: in the statistics, White is the side named first. */
const turned = (fen, other) => {
  const position = parse(fen);
  return other ? swapped(position) : position;
};

export class EndingPanel {
  /** `open(fen, rules)` opens a position under a rule set or, without one, under the rule set shown. */
  constructor(open) {
    this.open = open;
    this.heading = el("h2");
    this.material = el("p", { class: "quiet" });
    this.more = el("a");
    this.resultsTitle = el("h3");
    this.shares = el("div", { class: "shares" });
    this.legend = el("ul", { class: "legend" });
    this.results = el("div", {}, this.resultsTitle, this.shares, this.legend);
    this.histogram = new Histogram((fen) => this.open(format(turned(fen, this.shown.swapped))));
    this.hardTitle = el("h3");
    this.hards = el("div", { class: "hards" });
    $("ending").replaceChildren(this.heading, this.material, this.results, this.histogram.element, el("div", {}, this.hardTitle, this.hards), el("p", {}, this.more));
  }

  /**
   * Shows the statistics of the position's ending. `doc` is the answer about the position, if it has arrived;
   * `swapped` is true if Black has the men named first.
   */
  show(shown) {
    this.shown = shown;
    const { figures, turn } = shown;
    $("ending").hidden = !figures;
    if (!figures) return;
    const side = (turn === "w") !== shown.swapped ? "white_to_move" : "black_to_move";
    write(this.heading, t("ending"));
    write(this.material, t("endingOf", {
      material: figures.material,
      men: figures.men,
      legal: number(figures.white_to_move.legal + figures.black_to_move.legal),
    }));
    write(this.more, t("endingPage", { material: figures.material }));
    mark(this.more, "href", endingsPage(figures.material));
    const overlay = figures.rules.find((set) => set.rules === shown.rules);
    this.showResults(overlay, side);
    this.showHistogram(overlay, side);
    this.showHardest();
  }

  showResults(overlay, side) {
    this.results.hidden = !overlay;
    if (!overlay) return;
    const results = overlay[side];
    const total = sum(Object.values(results));
    const parts = [
      ["win", "wonInTime", results.win],
      ["count", "countDrawn", results.cursed_win + results.blessed_loss],
      ["draw", "drawn", results.draw],
      ["loss", "lostInTime", results.loss],
    ].filter(([, , n]) => n > 0);
    write(this.resultsTitle, `${t(overlay.rules)}, ${t("results", { side: sideWord(this.shown.turn) })}`);
    fill(this.shares, parts, () => el("span"), (piece, [worth, , n]) => {
      piece.dataset.worth = worth;
      piece.style.flexGrow = n / total;
    });
    fill(this.legend, parts, () => el("li", {}, el("b"), el("span")), (item, [worth, key, n]) => {
      item.dataset.worth = worth;
      write(item.firstChild, percent(n, total));
      write(item.lastChild, ` ${t(key)}`);
    });
  }

  showHistogram(overlay, side) {
    const { figures, doc, swapped: other, turn } = this.shown;
    const counts = figures[side];
    // The side whose wins are shown: the one that wins the position, else the one with more wins.
    const more = sum(counts.white_wins) >= sum(counts.black_wins) ? "white" : "black";
    const winner = !doc?.winner ? more : (doc.winner === "white") !== other ? "white" : "black";
    const toMove = (side === "white_to_move") === (winner === "white");
    const counted = figures.material.endsWith("vK") || overlay?.metric === "dtm";
    this.histogram.show({
      wins: counts[`${winner}_wins`],
      examples: figures.examples[side][`${winner}_wins`],
      limit: (counted && overlay?.moves_available?.[toMove ? "white_to_move" : "black_to_move"]) || null,
      mine: doc?.winner ? doc.answer.dtm : null,
      turn,
    });
  }

  /** Shows one card for each position, with all records that the position holds. */
  showHardest() {
    const { figures, swapped: other } = this.shown;
    const cards = new Map();
    for (const set of figures.rules) {
      for (const [key, found] of [["longest", set.longest], ["longestInside", set.longest_inside_count]]) {
        if (!found) continue;
        const position = turned(found.fen, other);
        const fen = format(position);
        const card = cards.get(fen) ?? { fen, position, rules: set.rules, said: new Map() };
        cards.set(fen, card);
        // Where both sides have men, a win ends with mate or a decisive capture; with bia, with an ending without them.
        const until = figures.material.includes("P") ? "Bia" : set.metric === "dtm" ? "" : set.rules === "asean" ? "Capture" : "Honor";
        const words = t(`${key}${until}`, { n: found.moves });
        card.said.set(words, [...card.said.get(words) ?? [], t(set.rules)]);
      }
    }
    write(this.hardTitle, t("hardest"));
    fill(this.hards, [...cards.values()], () => this.card(), (card, { fen, position, rules, said }) => {
      mark(card, "data-fen", fen);
      mark(card, "data-rules", rules);
      card.firstElementChild.replaceWith(thumbnail(position));
      card.lastElementChild.replaceChildren(
        ...[...said].map(([words, sets]) => el("span", { class: "said" }, el("b", {}, sets.join(", ")), ` ${words}`)),
        el("small", {}, t("toMove", { side: sideWord(position.turn) })),
      );
    });
  }

  card() {
    const card = el("button", { type: "button", class: "hard", onclick: () => this.open(card.dataset.fen, card.dataset.rules) }, el("span"), el("span"));
    return card;
  }
}
