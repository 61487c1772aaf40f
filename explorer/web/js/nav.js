// The choice of a mode, in the header of the page.

import { $, Button, el, mark, write } from "./dom.js";
import { MODES } from "./modes.js";
import { endingsPage, t } from "./words.js";

export class Nav {
  /** `on` has `mode(name)` and `legend()`. */
  constructor(on) {
    this.modes = MODES.map((mode) => ({ mode, button: new Button(() => on.mode(mode), { "data-mode": mode }) }));
    this.legend = new Button(() => on.legend(), { "data-do": "legend" });
    this.endings = el("a", { "data-do": "endings" });
    $("modes").replaceChildren(...this.modes.map(({ button }) => button.element), this.endings, this.legend.element);
  }

  show({ mode: chosen, state }) {
    mark($("modes"), "aria-label", t("modes"));
    for (const { mode, button } of this.modes) {
      button.show({ text: t(`mode-${mode}`) });
      mark(button.element, "aria-current", mode === chosen ? "page" : null);
    }
    write(this.endings, t("endings"));
    mark(this.endings, "href", endingsPage());
    this.legend.show({ text: t("legend") });
    mark(document.body, "data-mode", chosen);
    mark(document.body, "data-state", state);
  }
}
