// The legend: the name of each man, a picture of its moves, and the limits of the count.

import { $, Button, el, write } from "./dom.js";
import { LIMITS } from "./limits.js";
import { man, svg } from "./men.js";
import { t } from "./words.js";

const DIAGONALS = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
const STRAIGHT = [[0, -1], [0, 1], [-1, 0], [1, 0]];

/** The moves of each man from the centre of a board of five by five squares, as steps, lines and captures. */
const WAYS = {
  K: { to: [...DIAGONALS, ...STRAIGHT] },
  R: { lines: STRAIGHT },
  N: { to: [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]] },
  S: { to: [...DIAGONALS, [0, -1]] },
  M: { to: DIAGONALS },
  P: { to: [[0, -1]], takes: [[-1, -1], [1, -1]] },
};
const SIDE = 45;

/** A small board on which a man shows its moves. */
function picture(which) {
  const { to = [], lines = [], takes = [] } = WAYS[which];
  const board = svg("svg", { viewBox: "0 0 225 225", class: "ways", "aria-hidden": "true" });
  board.append(svg("rect", { class: "light", width: 225, height: 225 }));
  for (let i = 0; i <= 5; i += 1) board.append(svg("path", { class: "rule", d: `M${i * SIDE} 0V225M0 ${i * SIDE}H225` }));
  const middle = (n) => (n + 2.5) * SIDE;
  for (const [x, y] of lines) board.append(svg("path", { class: "line", d: `M112.5 112.5L${middle(2.4 * x)} ${middle(2.4 * y)}` }));
  board.append(man(which, 2 * SIDE, 2 * SIDE));
  for (const [x, y] of to) board.append(svg("circle", { class: "to", cx: middle(x), cy: middle(y), r: 8 }));
  for (const [x, y] of takes) board.append(svg("circle", { class: "take", cx: middle(x), cy: middle(y), r: 12 }));
  return board;
}

export class Legend {
  constructor() {
    this.dialog = $("legend");
    this.heading = el("h2", { id: "legend-name", tabindex: "-1" });
    this.men = Object.keys(WAYS).map((which) => {
      const [name, words] = [el("h3"), el("p")];
      return { which, name, words, item: el("div", { class: "piece", "data-kind": which }, picture(which), el("div", {}, name, words)) };
    });
    this.counting = el("h3");
    this.rules = ["rulesMakruk", "rulesFirst", "rulesBoard", "rulesAsean", "rulesOuk"].map((key) => ({ key, item: el("li") }));
    this.limits = el("table", { class: "limits" }, el("tbody", {}, LIMITS.map(([, limit]) => el("tr", {}, el("th", { scope: "row" }), el("td", {}, String(limit))))));
    this.close = new Button(() => this.dialog.close(), { "data-do": "close" });
    this.dialog.replaceChildren(
      this.heading,
      el("div", { class: "kinds" }, this.men.map(({ item }) => item)),
      this.counting,
      el("ul", {}, this.rules.map(({ item }) => item)),
      this.limits,
      this.close.element,
    );
    // A click outside the dialog closes it.
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  /** Opens the legend at a man, or at the top. */
  open(which = null) {
    write(this.heading, t("legend"));
    for (const { which: kind, name, words } of this.men) {
      write(name, t("manNamed", { name: t(kind), thai: t(`thai-${kind}`), letter: t(`letter-${kind}`) }));
      write(words, t(`ways-${kind}`));
    }
    write(this.counting, t("rulesOfCount"));
    for (const { key, item } of this.rules) write(item, t(key));
    [...this.limits.rows].forEach((row, i) => write(row.cells[0], t(`limit-${LIMITS[i][0]}`)));
    this.close.show({ text: t("close") });
    this.dialog.showModal();
    const { item } = this.men.find((one) => one.which === which?.toUpperCase()) ?? {};
    for (const one of this.men) one.item.classList.toggle("chosen", one.item === item);
    if (item) item.scrollIntoView({ block: "center" });
    else this.heading.focus();
  }

  openCount() {
    this.open();
    this.counting.scrollIntoView();
  }
}
