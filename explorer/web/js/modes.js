// The modes of the page: the choices in its header.

import { $, Button, el, mark, write } from "./dom.js";
import { endingsPage, t } from "./words.js";

export const MODES = ["explore", "practice", "puzzles", "games", "lesson"];

export class Modes {
  /** `on` has `mode(name)` and `legend()`. */
  constructor(on) {
    this.modes = MODES.map((mode) => ({ mode, button: new Button(() => on.mode(mode), { "data-mode": mode }) }));
    this.legend = new Button(() => on.legend(), { "data-do": "legend" });
    this.endings = el("a", { "data-do": "endings" });
    $("modes").replaceChildren(...this.modes.map(({ button }) => button.element), this.endings, this.legend.element);
  }

  show(chosen) {
    mark($("modes"), "aria-label", t("modes"));
    for (const { mode, button } of this.modes) {
      button.show({ text: t(`mode-${mode}`) });
      mark(button.element, "aria-current", mode === chosen ? "page" : null);
    }
    write(this.endings, t("endings"));
    mark(this.endings, "href", endingsPage());
    this.legend.show({ text: t("legend") });
    mark(document.body, "data-mode", chosen);
  }
}
