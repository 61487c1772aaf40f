// The FEN of the position, to read, copy and edit, and the same FEN in the other letters.

import { copyButton } from "./copy.js";
import { $, Button, el, mark, write } from "./dom.js";
import { format, letteringOf, uncounted } from "./fen.js";
import { t } from "./words.js";

/** Positions in which the timing of a promotion matters, by their endings. */
const EXAMPLES = { KRPvK: "8/8/8/2P5/3k4/1R6/8/7K w - - 0 1", KSPvK: "8/8/8/7P/8/1S6/8/1K1k4 w - - 0 1" };

const LETTERS = { asean: "ASEAN (K R N B Q)", makruk: "makruk (K R N S M)" };

export class FenPanel {
  /** `on` has `open(text)`, for a FEN that the user wrote, and `example(fen)`. */
  constructor({ open, example }) {
    this.open = open;
    /** True while the field holds text that was not opened. */
    this.written = false;
    /** True from the opening of the text until the field is used again. */
    this.sent = false;
    this.label = el("label", { for: "fen" });
    this.input = el("input", { id: "fen", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off", oninput: () => { this.written = true; this.sent = false; } });
    this.go = el("button", { type: "submit", class: "small" });
    this.copy = copyButton(() => this.input.value, () => this.input.select());
    this.problem = el("p", { class: "problem", role: "alert", id: "fen-problem" });
    this.other = el("code", { id: "fen-other" });
    this.otherLabel = el("span");
    this.copyOther = copyButton(() => this.other.textContent, () => getSelection().selectAllChildren(this.other));
    this.details = el("p", { class: "quiet other" }, this.otherLabel, this.other, " ", this.copyOther.element);
    this.form = el("form", { onsubmit: (event) => {
      event.preventDefault();
      this.written = false;
      this.sent = true;
      this.open(this.input.value);
    }, onfocusout: () => { this.sent = false; } }, this.label, this.input, this.go, this.copy.element);
    this.examplesLabel = el("span");
    this.examples = Object.entries(EXAMPLES).map(([ending, fen]) => {
      const button = new Button(() => example(fen), { class: "small", "data-example": ending });
      button.show({ text: ending });
      return { ending, button };
    });
    this.suggested = el("p", { class: "quiet" }, this.examplesLabel, ...this.examples.flatMap(({ button }) => [" ", button.element]));
    $("fens").replaceChildren(this.form, this.problem, this.details, this.suggested);
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.written = false;
      this.input.value = this.fen;
    });
  }

  /** Shows the FEN, unless the user is writing one. */
  show({ fen, rules, position, problem, endings }) {
    const changed = fen !== this.fen;
    const using = this.form.contains(document.activeElement);
    this.fen = fen;
    write(this.label, t("fen"));
    write(this.go, t("goFen"));
    // While the field or its buttons are in use, only what was opened there changes the text.
    if (changed && !using) this.written = false;
    if (!this.written && (!using || this.sent) && this.input.value !== fen) this.input.value = fen;
    write(this.problem, problem);
    this.problem.hidden = !problem;
    mark(this.input, "aria-invalid", problem ? "true" : null);
    mark(this.input, "aria-describedby", problem ? "fen-problem" : null);
    write(this.examplesLabel, t("examplesBia"));
    for (const { ending, button } of this.examples) button.element.hidden = !endings.includes(ending);
    this.suggested.hidden = !this.examples.some(({ ending }) => endings.includes(ending));
    this.copy.show(t("copy"));
    this.copyOther.show(t("copy"));
    this.details.hidden = !position;
    const other = letteringOf(rules) === "asean" ? "makruk" : "asean";
    write(this.otherLabel, `${t("fenOther", { lettering: LETTERS[other] })}: `);
    write(this.other, position ? format(uncounted(position), other) : "");
  }
}
