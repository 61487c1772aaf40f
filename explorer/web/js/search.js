// A search that is on its way: words that say so, and a button that ends it.

import { Button, el, write } from "./dom.js";
import { t } from "./words.js";

export class Search {
  constructor(cancel) {
    this.words = el("span");
    this.cancel = new Button(cancel, { "data-do": "cancel", class: "small" });
    this.element = el("p", { class: "searching", role: "status" }, this.words, " ", this.cancel.element);
    this.element.hidden = true;
  }

  show(on) {
    this.element.hidden = !on;
    write(this.words, on ? t("searching") : "");
    this.cancel.show({ text: t("cancel") });
  }
}
