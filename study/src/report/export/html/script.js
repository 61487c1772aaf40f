"use strict";
// A click on a heading sorts the table: words alphabetically, numbers by size, empty cells as the smallest number.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const ranks = { beats: 5, usually: 4, rarely: 3, never: 2, "no win": 1 };
  const value = (row, i) => {
    const text = row.cells[i].textContent.trim();
    const verdict = row.cells[i].querySelector("[data-word]");
    if (verdict) return ranks[verdict.dataset.word];
    if (text === "-" || text === "") return -Infinity;
    const number = Number(text.replace(/[,≥]| h$/g, "").replace("<", "0"));
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
// Switches a histogram to its other scale. The attributes of each bar contain both heights.
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
// Filters the table of all endings and the sections below it.
const filter = document.querySelector("#filter");
const narrow = () => {
  const { name, men, kind, verdict } = filter.elements;
  const words = name.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
  const rows = [...document.querySelector("#all").tBodies[0].rows];
  const shown = new Set();
  let lines = 0;
  for (const row of rows) {
    const text = (i) => row.cells[i].textContent.trim();
    const ending = text(0);
    const fits = words.every((word) => ending.toLowerCase().includes(word))
      && (!men.value || text(row.cells.length - 1) === men.value)
      && (!kind.value || row.dataset.kind === kind.value)
      && (!verdict.value || row.querySelector("[data-word]").dataset.word === verdict.value);
    row.hidden = !fits;
    if (fits) {
      shown.add(ending);
      lines += 1;
    }
  }
  for (const article of document.querySelectorAll("article")) article.hidden = !shown.has(article.id);
  filter.querySelector("output").textContent = lines < rows.length ? `${lines} of ${rows.length} lines` : "";
};
filter.addEventListener("input", narrow);
filter.addEventListener("submit", (event) => event.preventDefault());
filter.addEventListener("reset", () => setTimeout(narrow));
// Switches between Thai and English. Translates each text of the page that is in the list.
const thai = new Map(document.querySelector("#thai").textContent.trim().split("\n").map((line) => line.split("\t")));
const english = new Map();
const language = document.querySelector("#language");
const speak = (lang) => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const words = english.get(node) ?? node.data.trim();
    const other = thai.get(words);
    if (other === undefined || node.parentElement.closest("script, code")) continue;
    english.set(node, words);
    node.data = node.data.replace(node.data.trim(), lang === "th" ? other : words);
  }
  document.documentElement.lang = lang;
  [language.textContent, language.lang] = lang === "th" ? ["English", "en"] : ["ไทย", "th"];
};
language.addEventListener("click", () => speak(document.documentElement.lang === "th" ? "en" : "th"));
if (navigator.language.startsWith("th")) speak("th");
// A link to a line of play opens the line. A link to an ending that is filtered out resets the filter.
const open = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && target.closest("article[hidden]")) {
    filter.reset();
    narrow();
    target.scrollIntoView();
  }
  const line = target && target.querySelector("details");
  if (line) line.open = true;
};
addEventListener("hashchange", open);
open();
