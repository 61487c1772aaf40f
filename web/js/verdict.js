// What becomes of the position, in a sentence, and under each rule set.

import { available, colour } from "./count.js";
import { $, el } from "./dom.js";
import { sideWord, t } from "./words.js";

/** The position's category with a number said. */
export function categoryAt(doc, n) {
  const { numbers, answer } = doc;
  if (!numbers) return answer.category;
  if (n === null) return numbers.fresh.category;
  return numbers.runs.find((run) => run.from <= n && n <= run.to)?.category ?? null;
}

/** The sentence. */
export function sentence(doc, n) {
  const { answer, winner, numbers } = doc;
  if (answer.checkmate) return t("isMate", { side: sideWord(answer.side_to_move) });
  if (answer.stalemate) return t("isStalemate");
  if (answer.insufficient_material) return t("isInsufficient");
  if (winner === null) return t("isDraw");
  const category = categoryAt(doc, n);
  const side = sideWord(winner);
  const left = numbers ? available(numbers, winner, n) : answer.count?.moves_available ?? null;
  if (category === "win" || category === "loss") {
    return answer.dth === null ? t("wins", { side, n: answer.dtm }) : t("winsHonor", { side, n: answer.dth, dtm: answer.dtm });
  }
  if (answer.dth === null && answer.dtm > left) return t("countDraw", { side, n: answer.dtm, left });
  return t("countDrawHonor", { side, n: answer.dtm });
}

/** Shows the sentence. */
export function showVerdict(doc, n) {
  const host = $("verdict");
  const category = categoryAt(doc, n);
  const { answer } = doc;
  const drawn = answer.stalemate || answer.insufficient_material;
  host.dataset.worth = drawn ? "draw" : answer.checkmate ? "loss" : colour(category);
  host.replaceChildren(
    el("p", { class: "side" }, t("toMove", { side: sideWord(answer.side_to_move) })),
    el("p", { class: "sentence" }, sentence(doc, n)),
  );
}

/** Shows the three rule sets side by side; one is chosen by a click. */
export function showSets(doc, n, rules, choose) {
  const cards = doc.rule_sets.map((set) => {
    const mine = set.rules === rules;
    const category = mine ? categoryAt(doc, n) : set.category;
    const final = doc.answer.checkmate || doc.answer.stalemate || doc.answer.insufficient_material;
    const word = set.error ? "–" : final ? "" : category ? t(category) : "";
    const needed = set.dth ?? set.dtm;
    const left = mine && doc.numbers && doc.winner ? available(doc.numbers, doc.winner, n) : set.count?.moves_available;
    const detail = set.error ?? (needed === null || final ? "" : left == null ? t("needsOnly", { n: needed }) : t("needs", { n: needed, left }));
    const card = el("button", { type: "button", "aria-pressed": String(mine), onclick: () => choose(set.rules) },
      el("span", { class: "name" }, t(set.rules)),
      el("span", { class: "worth" }, word),
      el("span", { class: "detail", title: set.error }, detail));
    card.dataset.worth = set.error ? "unknown" : final ? "draw" : colour(category);
    card.dataset.rules = set.rules;
    return card;
  });
  $("sets").setAttribute("aria-label", t("rulesHeading"));
  $("sets").replaceChildren(...cards);
}
