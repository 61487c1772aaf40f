// The header and the footer of the page, and the buttons below the board.

import { $, Button, el, fill, mark, write } from "./dom.js";
import { symbols, svg } from "./men.js";
import { currentLanguage, languages, t } from "./words.js";

const STYLES = { thai: "menThai", letters: "menLetters", western: "menWestern" };
/** Elements whose whole text is one entry of the word list. */
const TEXTS = {
  tagline: "tagline", "board-name": "board", "men-label": "men", "language-label": "language", about: "about", api: "api",
  "keys-name": "keys", keys: "keysHelp",
};

export class Controls {
  /**
   * `act` has the handlers of the buttons: `first`, `back`, `forward`, `last`, `best`, `line`, `setUp`, `flip`,
   * `undo`, `aloud(on)`, `plain(on)`, `home`, `language(name)` and `men(style)`.
   */
  constructor(act) {
    const button = (name) => new Button(act[name], { "data-do": name });
    this.travel = Object.fromEntries(["first", "back", "forward", "last", "best", "line"].map((name) => [name, button(name)]));
    $("travel").replaceChildren(...Object.values(this.travel).map((one) => one.element));
    this.tools = Object.fromEntries(["setUp", "flip", "undo"].map((name) => [name, button(name)]));
    this.speech = el("input", { type: "checkbox", id: "aloud", disabled: !("speechSynthesis" in window), onchange: () => act.aloud(this.speech.checked) });
    this.speechName = el("span");
    this.plain = el("input", { type: "checkbox", id: "plain", onchange: () => act.plain(this.plain.checked) });
    this.plainName = el("span");
    $("tools").replaceChildren(...Object.values(this.tools).map((one) => one.element), el("label", {}, this.speech, " ", this.speechName), el("label", {}, this.plain, " ", this.plainName));
    $("home").addEventListener("click", (event) => {
      event.preventDefault();
      act.home();
    });
    $("language").addEventListener("change", (event) => act.language(event.target.value));
    $("men-style").addEventListener("change", (event) => act.men(event.target.value));
    $("language").replaceChildren(...Object.entries(languages).map(([value, name]) => el("option", { value, lang: value }, name)));
    showLogo();
  }

  show({ title, game, doc, style, playing, editing, undoable, aloud, plain }) {
    document.title = title;
    for (const [id, key] of Object.entries(TEXTS)) write($(id), t(key));
    const styles = Object.entries(STYLES);
    fill($("men-style"), styles, () => el("option"), (option, [value, key]) => {
      option.value = value;
      write(option, t(key));
    });
    $("men-style").value = style;
    $("language").value = currentLanguage();
    mark($("men-style"), "aria-label", t("men"));
    mark($("language"), "aria-label", t("language"));
    const { first, back, forward, last, best, line } = this.travel;
    first.show({ text: "«", name: t("first"), off: game.place === 0 });
    back.show({ text: "‹", name: t("back"), off: game.place === 0 });
    forward.show({ text: "›", name: t("forward"), off: game.atEnd });
    last.show({ text: "»", name: t("last"), off: game.atEnd });
    const movable = doc !== null && doc.answer.moves.length > 0;
    best.show({ text: `★ ${t("best")}`, off: !movable });
    // A drawn position has no best line to an end.
    const known = game.end !== null && !game.atEnd;
    line.show({ text: playing ? `■ ${t("playing")}` : `▶ ${t("wholeLine")}`, off: !playing && !known && (!movable || doc.winner === null) });
    const { setUp, flip, undo } = this.tools;
    setUp.show({ text: t(editing ? "done" : "setUp"), pressed: String(editing) });
    flip.show({ text: t("flip") });
    undo.show({ text: `↶ ${t("undo")}`, off: !undoable });
    write(this.speechName, t("aloud"));
    write(this.plainName, t("plainBoard"));
    this.plain.checked = plain ?? t("boardGround") === "lined";
    document.body.classList.toggle("plain", this.plain.checked);
    this.speech.checked = aloud && !this.speech.disabled;
  }
}

/** The logo has its own copy of the khun, so that it does not change with the style of the men. */
function showLogo() {
  const defs = svg("defs");
  defs.innerHTML = symbols("thai", "makruk").replaceAll("man-", "logo-");
  document.querySelector(".logo").prepend(defs);
  document.querySelector(".logo use").setAttribute("href", "#logo-K");
}
