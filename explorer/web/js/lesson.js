// The introduction to the count: three steps on the position that the page begins with.

import { Button, el, write } from "./dom.js";
import { limiting } from "./limits.js";
import { sideWord, t } from "./words.js";

/** The number of moves played in the second step. */
export const WATCHED = 6;
const STEPS = 3;

export class LessonPanel {
  /** `on` has `step(n)`, `watch()`, `slide(n)`, `close()` and `rules()`. */
  constructor(on) {
    this.on = on;
    this.where = el("p", { class: "quiet" });
    this.words = el("p", { class: "words", "aria-live": "polite" });
    const button = (name, act) => new Button(act, { "data-do": name });
    this.watch = button("watch", () => on.watch());
    this.won = button("lesson-won", () => on.slide(this.last));
    this.drawn = button("lesson-drawn", () => on.slide(this.last + 1));
    this.back = button("lesson-back", () => on.step(this.step - 1));
    this.next = button("lesson-next", () => (this.step === STEPS - 1 ? on.close() : on.step(this.step + 1)));
    this.rules = button("rules", () => on.rules());
    this.element = el("div", {},
      this.where,
      this.words,
      el("p", { class: "bar" }, this.watch.element, this.won.element, this.drawn.element),
      el("p", { class: "bar" }, this.back.element, this.next.element, this.rules.element),
    );
  }

  show({ lesson, doc, playing, position }) {
    this.step = lesson;
    write(this.where, t("lessonStep", { n: lesson + 1, of: STEPS }));
    const { numbers, ending } = doc ?? {};
    // The words of a step stay while its moves are played.
    if (numbers && ending.bare) {
      const [bare, other] = [sideWord(ending.bare), sideWord(ending.bare === "white" ? "black" : "white")];
      this.last = numbers.runs.findLast((run) => run.category === "win" || run.category === "loss")?.to ?? numbers.from;
      const values = { bare, other, men: numbers.from, first: numbers.from + 1, limit: numbers.limit, army: t(`limit-${limiting(position.board)}`), last: this.last, late: this.last + 1 };
      if (this.written !== lesson || !playing) write(this.words, t(`lesson${lesson + 1}`, lesson === 2 || !this.values ? (this.values = values) : this.values));
      this.written = lesson;
    }
    this.watch.show({ text: t("watch"), off: playing });
    this.watch.element.hidden = lesson !== 1;
    this.won.show({ text: t("lessonSaid", { n: this.last ?? "" }) });
    this.drawn.show({ text: t("lessonSaid", { n: this.last === undefined ? "" : this.last + 1 }) });
    this.won.element.hidden = this.drawn.element.hidden = lesson !== 2;
    this.back.show({ text: t("lessonBack"), off: lesson === 0 });
    this.next.show({ text: t(lesson === STEPS - 1 ? "lessonEnd" : "lessonNext") });
    this.rules.show({ text: t("rulesOfCount") });
  }
}
