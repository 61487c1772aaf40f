// The user's choices for all visits: the language, the men, the board, and whether the count is spoken.

import { settings } from "./browser.js";
import { state } from "./state.js";
import { setLanguage } from "./words.js";

/** The handlers of the choices. `on` has `render()` and `translate()`, which draws the parts that only a language changes. */
export const choices = (on) => ({
  aloud(wanted) {
    state.aloud = wanted;
    settings.set("aloud", wanted ? "yes" : "no");
  },
  plain(wanted) {
    state.plain = wanted;
    settings.set("plain", wanted ? "yes" : "no");
    on.render();
  },
  language(name) {
    settings.set("language", name);
    setLanguage(name);
    on.render();
    on.translate();
  },
  men(style) {
    state.style = style;
    settings.set("men", style);
    on.render();
  },
});
