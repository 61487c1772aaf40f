"use strict";
// Sorting by a click on a heading; words by letters, numbers by size, what has none last.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const ranks = { beats: 5, usually: 4, rarely: 3, never: 2, unknown: 1 };
  const value = (row, i) => {
    const text = row.cells[i].textContent.trim();
    if (text in ranks) return ranks[text];
    if (text === "-" || text === "") return -Infinity;
    const number = Number(text.replace(/[,≥]/g, "").replace("<", "0"));
    return Number.isNaN(number) ? text : text.startsWith("<") ? 0.005 : number;
  };
  heads.forEach((head, i) => head.querySelector("button").addEventListener("click", () => {
    const words = [...body.rows].some((row) => typeof value(row, i) === "string");
    const first = words ? "ascending" : "descending";
    const order = head.getAttribute("aria-sort") === first
      ? (first === "ascending" ? "descending" : "ascending") : first;
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const rows = [...body.rows].map((row) => [value(row, i), row]);
    rows.sort(([a], [b]) => sign * (typeof a === "string" || typeof b === "string"
      ? String(a).localeCompare(String(b)) : a === b ? 0 : a - b));
    body.append(...rows.map(([, row]) => row));
  }));
}
// The other scale of a histogram: its bars carry both.
for (const button of document.querySelectorAll("button.scale")) {
  button.addEventListener("click", () => {
    const chart = button.closest("figure").querySelector("svg");
    const logged = chart.classList.toggle("logged");
    button.setAttribute("aria-pressed", String(logged));
    for (const bar of chart.querySelectorAll("rect[data-y]")) {
      const { y, h } = bar.dataset;
      bar.dataset.y = bar.getAttribute("y");
      bar.dataset.h = bar.getAttribute("height");
      bar.setAttribute("y", y);
      bar.setAttribute("height", h);
    }
  });
}
// A link to a line opens it.
const open = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  const line = target && target.querySelector("details");
  if (line) line.open = true;
};
addEventListener("hashchange", open);
open();
