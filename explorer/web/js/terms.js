// Words with an explanation: buttons with a dotted underline, and one note that they share.

import { el, mark, write } from "./dom.js";
import { t } from "./words.js";

const NAME = "term-note";
let note = null;

/** The note; the browser closes it on Escape or on a click elsewhere. */
function theNote() {
  note ??= document.querySelector("main").appendChild(el("p", { id: NAME, popover: "auto", role: "note" }));
  return note;
}

/** A word with a dotted underline. It needs its text and the name of its explanation. */
export class Term {
  constructor() {
    this.element = el("button", { type: "button", class: "term", onclick: () => this.explain() });
  }

  show(text, key) {
    this.key = key;
    write(this.element, text);
    mark(this.element, "aria-haspopup", "dialog");
  }

  explain() {
    const shown = theNote();
    write(shown, t(`explain-${this.key}`));
    shown.showPopover?.();
    const { left, bottom } = this.element.getBoundingClientRect();
    shown.style.left = `${Math.max(8, Math.min(left, innerWidth - shown.offsetWidth - 8))}px`;
    shown.style.top = `${Math.min(bottom + 6, innerHeight - shown.offsetHeight - 8)}px`;
  }
}
