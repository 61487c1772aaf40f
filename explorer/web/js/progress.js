// The user's progress: a map of the endings against a bare king with the level of each drill, and a file to keep all of it.

import { settings } from "./browser.js";
import { Button, el, fill, mark, write } from "./dom.js";
import { endingName } from "./names.js";
import { t } from "./words.js";

/** The number of levels of a drill, from short wins to the longest. */
export const LEVELS = 10;
/** The largest ending on the map, in men. */
const MOST_MEN = 4;
/** Men with which mate can hardly be forced against a bare king. */
const HOPELESS = ["N", "S", "M", "P", "NN", "MM", "MP", "PP"];
/** The settings that are progress. */
const KEPT = /^(solved|daily|course|(level|streak)-K[RNSMP]*vK[RNSMP]*)$/;
/** The largest file that is read, in bytes. */
const MOST_BYTES = 1 << 20;

/** True if hardly any position of an ending can be won. */
export const isHopeless = (ending) => HOPELESS.includes(/^K([RNSMP]+)vK$/.exec(ending)?.[1]);

/** The level of the drill of an ending, 0 before the first, and whether the last level was passed. */
export function levelOf(ending) {
  const level = Number(settings.get(`level-${ending}`) ?? 0);
  return { level, mastered: level === LEVELS && Number(settings.get(`streak-${ending}`) ?? 0) > 0 };
}

/** All progress as the text of a file. */
export const saved = () => `${JSON.stringify({ sakmak: 1, ...Object.fromEntries(settings.keys().filter((key) => KEPT.test(key)).sort().map((key) => [key, settings.get(key)])) }, null, 1)}\n`;

/** Takes the progress of a file in place of the browser's; false if it is none. */
export function restore(text) {
  let kept = null;
  try {
    kept = JSON.parse(text);
  } catch { /* Something else was chosen. */ }
  if (kept?.sakmak !== 1) return false;
  for (const [key, value] of Object.entries(kept)) if (KEPT.test(key) && typeof value === "string") settings.set(key, value);
  return true;
}

export class ProgressMap {
  /** `on` has `drill(ending)`, `save(text)`, and `restored()`, called when the progress of a file has been taken. */
  constructor(on) {
    this.on = on;
    this.heading = el("h3");
    this.map = el("p", { class: "map", role: "group" });
    this.file = el("input", { type: "file", id: "progress", accept: ".json,application/json", class: "unseen", tabindex: -1, onchange: () => this.load() });
    this.save = new Button(() => on.save(saved()), { "data-do": "save-progress", class: "small" });
    this.open = new Button(() => this.file.click(), { "data-do": "load-progress", class: "small" });
    this.said = el("span", { class: "quiet", role: "status" });
    this.element = el("div", { class: "mine" }, this.heading, this.map, el("p", {}, this.save.element, " ", this.open.element, " ", this.said), this.file);
  }

  async load() {
    const [file] = this.file.files;
    const text = file && file.size <= MOST_BYTES ? await file.text() : "";
    this.file.value = "";
    const taken = restore(text);
    this.message = taken ? "progressTaken" : "progressNone";
    this.on.restored();
  }

  show({ endings }) {
    write(this.heading, t("map"));
    mark(this.map, "aria-label", t("map"));
    const shown = endings.filter((name) => name.endsWith("vK") && name.length <= MOST_MEN + 1 && !isHopeless(name));
    fill(this.map, shown, () => el("button", { type: "button", onclick: (event) => this.on.drill(event.currentTarget.dataset.ending) }, el("span"), el("meter", { min: 0, max: LEVELS })), (button, ending) => {
      const { level, mastered } = levelOf(ending);
      const [name, meter] = button.children;
      button.dataset.ending = ending;
      write(name, `${ending}${mastered ? " ✓" : ""}`);
      meter.value = mastered ? LEVELS : Math.max(0, level - 1);
      mark(button, "aria-label", t("mapLevel", { ending: endingName(ending), level, of: LEVELS }));
      mark(button, "title", t("mapLevel", { ending: endingName(ending), level, of: LEVELS }));
    });
    this.save.show({ text: t("saveProgress") });
    this.open.show({ text: t("loadProgress") });
    mark(this.file, "aria-label", t("loadProgress"));
    write(this.said, this.message ? t(this.message) : "");
  }
}
