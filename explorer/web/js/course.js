// The course in the count: an introduction, and chapters with questions that never run out.

import { $, Button, el, fill, mark, offer, write } from "./dom.js";
import { RULES, parse } from "./fen.js";
import { LessonPanel } from "./lesson.js";
import { limiting } from "./limits.js";
import { man, svg } from "./men.js";
import { endingName } from "./names.js";
import { spoken } from "./notation.js";
import { advice, countWords } from "./promotion.js";
import { hasBia, isPromotion, ranked } from "./reading.js";
import { Search } from "./search.js";
import { settings } from "./browser.js";
import { sideWord, t } from "./words.js";

const CHAPTERS = ["limit", "number", "left", "start", "capture", "board", "stop", "baring", "bia", "promote"];
/** The chapters on board’s honor, which ASEAN chess does not have. */
const OF_BOARD = ["board", "stop"];
/** The chapters with words of their own under a rule set. */
const OWN = { asean: ["limit", "number", "start", "baring", "bia"], ouk: ["limit", "start", "board", "baring"] };
/** The right answers in a row with which a chapter is mastered. */
const MASTERED = 5;

/** The right answers in a row in each chapter. */
export const learned = {
  get() {
    const pairs = (settings.get("course") ?? "").split(" ").filter(Boolean).map((pair) => pair.split("="));
    return new Map(pairs.map(([chapter, times]) => [chapter, Number(times)]));
  },
  /** Records an answer. A chapter that is mastered stays so. */
  answered(chapter, right) {
    const all = learned.get();
    const times = all.get(chapter) ?? 0;
    if (times >= MASTERED) return;
    all.set(chapter, right ? times + 1 : 0);
    settings.set("course", [...all].map((pair) => pair.join("=")).join(" "));
  },
};

/** Words for the answers that are not numbers. */
const optionWords = (option) => (/^\d+$/.test(option) ? option : ["pieces-honor", "boards-honor"].includes(option) ? t(option) : t(`option-${option}`));

/** A chapter's words under a rule set. */
const teaching = (chapter, rules) => t(OWN[rules]?.includes(chapter) ? `teach-${chapter}-${rules}` : `teach-${chapter}`);

/** The count that the best promotion begins, and the advice; empty before the answer for the question's position. */
function promotionWords(question, doc) {
  if (doc?.answer.fen !== question.fen) return "";
  const moves = ranked(doc);
  const best = moves.find(isPromotion);
  return best ? `${countWords(best)} ${advice(best, moves[0])}` : "";
}

/** The reason for the right answer. `doc` is the answer for the position on the board. */
function reasonOf(question, doc) {
  const { ask, rules, fen, options, right, men, said, limit, left, needed, move } = question;
  const answer = options[right];
  const white = fen.split(" ")[1] === "w";
  const after = parse(move?.fen ?? fen);
  const army = t(`limit-${limiting(after.board)}`);
  const values = { right: answer, men, said, limit: limit ?? after.limit / 2, left, needed, rest: limit - said, army, from: rules === "asean" ? 0 : men };
  const none = t(hasBia(fen) ? "noCountBia" : /^[^a-z]*k[^a-z]*$/.test(fen.split(" ")[0]) ? "because-none" : "noCountBoth");
  const first = t(rules === "asean" ? "because-firstAsean" : "because-first", values);
  switch (ask) {
    case "limit": return answer === "none" ? t("because-none") : t("because-limit", values);
    case "first": case "bared": return first;
    case "left": return t(white ? "because-leftWhite" : "because-left", values);
    case "kind": return answer === "none" ? none : t(answer === "pieces-honor" ? "because-pieces" : rules === "ouk" ? "because-boardsOuk" : "because-boards");
    case "promoted": return answer !== "nothing" ? first : hasBia(move.fen) ? t("because-another") : t("because-none");
    case "taken": return answer !== "nothing" ? t("because-taken", values) : t(rules === "asean" ? "because-takenAsean" : "because-another");
    case "promote": return `${t(`because-${answer}`)} ${promotionWords(question, doc)}`;
    default: return t(`because-${ask}`, values);
  }
}

export class CoursePanel {
  /**
   * `on` has the actions of the introduction, and `chapter(name, rules, ending)`, which asks a question, `answer(index)`,
   * `cancel()`, which ends the search for a question, and `man(kind)`, which explains a man.
   */
  constructor(on) {
    this.on = on;
    this.heading = el("h2");
    this.chapters = [null, ...CHAPTERS].map((name) => ({ name, button: new Button(() => this.choose(name), { "data-chapter": name ?? "introduction" }) }));
    this.list = el("p", { class: "bar chapters", role: "group" }, this.chapters.map(({ button }) => button.element));
    this.introduction = new LessonPanel(on);
    this.teaching = el("p", { class: "quiet" });
    this.rules = el("select", { onchange: () => this.choose(this.name) });
    this.ending = el("select", { onchange: () => this.choose(this.name) });
    this.question = el("p", { class: "sentence question" });
    this.options = el("p", { class: "bar options", role: "group" });
    this.said = el("p", { class: "said", role: "status" });
    this.next = new Button(() => this.choose(this.name), { "data-do": "next-question", class: "main" });
    this.search = new Search(on.cancel);
    this.problem = el("p", { class: "problem", role: "alert" });
    this.row = el("p", {}, this.streak = el("span", { class: "quiet" }));
    this.chapter = el("div", { class: "chapter" }, this.teaching, el("p", { class: "bar" }, this.rules, this.ending), this.question, this.options, this.said,
      el("p", { class: "bar next" }, this.next.element), this.row, this.search.element, this.problem);
    this.men = el("p", { class: "bar here", role: "group" });
    $("lesson").replaceChildren(this.heading, this.list, this.introduction.element, this.chapter, this.men);
  }

  /** Asks a question of a chapter, or begins the introduction. */
  choose(name) {
    this.on.chapter(name, this.rules.value || "makruk", this.ending.value);
  }

  show(view) {
    const { mode, course, rules, endings, searching, unlucky, doc, position } = view;
    $("lesson").hidden = mode !== "lesson";
    if (mode !== "lesson") return;
    const { question, chosen } = course;
    this.name = course.chapter;
    write(this.heading, t("mode-lesson"));
    mark(this.list, "aria-label", t("chapters"));
    const bia = endings.filter((name) => /^K[^v]*P[^v]*vK$/.test(name));
    offer(this.rules, RULES.map((name) => [name, t(name)]), t("rulesHeading"));
    offer(this.ending, bia.map((name) => [name, endingName(name)]), t("ofEnding"));
    // In the ending with a khon it is often right to wait.
    this.ending.value = [course.ending, "KSPvK", bia[0]].find((name) => bia.includes(name)) ?? "";
    const done = learned.get();
    for (const { name, button } of this.chapters) {
      const mastered = (done.get(name) ?? 0) >= MASTERED;
      button.show({ text: `${t(`chapter-${name ?? "introduction"}`)}${mastered ? " ✓" : ""}` });
      mark(button.element, "aria-current", name === this.name ? "step" : null);
      button.element.hidden = (name === "promote" && !bia.length) || (OF_BOARD.includes(name) && this.rules.value === "asean");
    }
    this.showMen(position);
    this.introduction.element.hidden = this.name !== null;
    this.chapter.hidden = this.name === null;
    if (this.name === null) {
      this.introduction.show(view);
      return;
    }
    const under = question?.rules ?? rules;
    write(this.teaching, teaching(this.name, under));
    this.rules.value = under;
    this.ending.hidden = this.name !== "promote";
    this.showQuestion(question, chosen, doc);
    write(this.streak, t("courseStreak", { n: Math.min(done.get(this.name) ?? 0, MASTERED), of: MASTERED }));
    this.search.show(searching === "course");
    write(this.problem, unlucky);
    this.problem.hidden = !unlucky;
  }

  /** Names the kinds of men on the board; each name opens the legend. */
  showMen(position) {
    const kinds = "KRNSMP".split("").filter((kind) => position?.board.some((one) => one?.toUpperCase() === kind));
    mark(this.men, "aria-label", t("legend"));
    this.men.hidden = !kinds.length;
    fill(this.men, kinds, (i) => {
      const picture = svg("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" });
      return el("button", { type: "button", onclick: () => this.on.man(this.kinds[i]) }, picture, el("span"));
    }, (button, kind) => {
      if (button.dataset.kind !== kind) button.firstChild.replaceChildren(man(kind, 0, 0));
      mark(button, "data-kind", kind);
      write(button.lastChild, t(kind));
    });
    this.kinds = kinds;
  }

  showQuestion(question, chosen, doc) {
    const answered = chosen !== null;
    for (const part of [this.question, this.options, this.said]) part.hidden = question === null;
    this.next.show({ text: t("nextQuestion") });
    this.next.element.hidden = question === null || !answered;
    if (question === null) return;
    const { ask, said, limit, needed, fen, options, right, move } = question;
    const side = sideWord(fen.split(" ")[1]);
    write(this.question, t(`ask-${ask}`, { said, limit, needed, side, move: move && spoken(move.san) }));
    mark(this.options, "aria-label", this.question.textContent);
    fill(this.options, options, (i) => el("button", { type: "button", "data-option": i, onclick: () => this.choosing || this.on.answer(i) }), (button, option, i) => {
      write(button, optionWords(option));
      mark(button, "aria-disabled", answered ? "true" : null);
      mark(button, "aria-pressed", answered ? String(i === chosen) : null);
      mark(button, "data-worth", !answered ? null : i === right ? "win" : i === chosen ? "loss" : null);
    });
    this.choosing = answered;
    mark(this.said, "data-worth", answered ? (chosen === right ? "win" : "loss") : null);
    write(this.said, answered ? `${t(chosen === right ? "answerRight" : "answerWrong", { right: optionWords(options[right]) })} ${reasonOf(question, doc)}` : "");
  }
}
