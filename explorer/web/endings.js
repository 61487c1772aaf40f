// The list of endings: its columns sort, and a field narrows it to endings with some men. The page is complete
// without this script.

/** The first number of a cell, or the ending that it names. A bound such as <0.1 sorts as the number. */
const value = (cell) => {
  const number = /\d+(\.\d+)?/.exec(cell.textContent.replace(/,/g, ""));
  return cell.matches("td[data-label]") ? Number(number?.[0] ?? -1) : (cell.querySelector("a") ?? cell).textContent;
};

/** Sorts the rows of a table by a column: the largest numbers or the first names come first, then the other way round. */
function sort(heading) {
  const table = heading.closest("table");
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, value: value(row.cells[heading.cellIndex]) }));
  const [one, other] = typeof rows[0].value === "number" ? ["descending", "ascending"] : ["ascending", "descending"];
  const wanted = heading.getAttribute("aria-sort") === one ? other : one;
  for (const each of table.querySelectorAll("thead th")) each.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", wanted);
  const order = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b));
  rows.sort((a, b) => (wanted === "ascending" ? order(a.value, b.value) : order(b.value, a.value)));
  table.tBodies[0].append(...rows.map(({ row }) => row));
}

/** The men that a text asks for, such as K+S: each as often as it is written. */
const holds = (name, wanted) => [...new Set(wanted)].every((man) => name.split(man).length >= wanted.split(man).length);

/** A text with Latin letters of men in place of those of the language, and a `v` between the sides. */
function latin(text, letters) {
  const pairs = letters.split(" ").map((letter, i) => [letter, "KRNSMP"[i]]).sort(([a], [b]) => b.length - a.length);
  return pairs.reduce((all, [letter, man]) => all.replaceAll(letter, man), text.toUpperCase().replaceAll("–", "V"));
}

/** Shows the endings that have all men of the text, in Latin letters. A `v` separates the men of the sides. */
function narrow(text, output) {
  const [one, other] = text.replace(/[^KRNSMPV]/g, "").split("V");
  const rows = [...document.querySelectorAll("tbody tr")];
  for (const row of rows) {
    const [white, black] = row.id.split("v");
    row.hidden = !(other === undefined ? holds(white + black, one) : holds(white, one) && holds(black, other));
  }
  for (const table of document.querySelectorAll("table")) {
    const none = ![...table.tBodies[0].rows].some((row) => !row.hidden);
    table.hidden = none;
    table.previousElementSibling.hidden = none;
  }
  output.textContent = `${rows.filter((row) => !row.hidden).length} / ${rows.length}`;
}

for (const heading of document.querySelectorAll("thead th")) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...heading.childNodes);
  button.addEventListener("click", () => sort(heading));
  heading.append(button);
}
const field = document.querySelector("#narrow input");
if (field) {
  field.closest("p").hidden = false;
  field.addEventListener("input", () => narrow(latin(field.value, field.dataset.men), field.closest("p").querySelector("output")));
}
