// The passages between the modes, and what the browser's history keeps of them.

import { recalled, remember } from "./browser.js";
import { empty, format } from "./fen.js";
import { Game } from "./game.js";
import { hasTask, MODES, modeOf, STATES } from "./modes.js";
import { fen, keyOf, position, START, state, tables, written } from "./state.js";
import { t } from "./words.js";

/** `app` has the `modes`, the `page`, the `lines`, the `training`, and the functions of the other parts. */
export const passages = (app) => {
  /** Ends what belongs to the state before a passage. */
  function passed(from, to) {
    interrupt();
    state.unlucky = "";
    state.hint = "";
    state.about = null;
    state.preview = undefined;
    if (to !== "lesson") state.course = { ...state.course, chapter: null, question: null, chosen: null };
    if (hasTask(from) && !hasTask(to)) {
      app.training.stop();
      app.page.turnBack();
    }
    app.page.edit(to === "setup");
  }

  /** Stops what is on its way: a line, a solution, a search. */
  function interrupt() {
    app.lines.stop();
    app.training.stopSearch();
    state.searching = null;
  }

  function interrupted() {
    interrupt();
    app.render();
  }

  /** What the browser's history keeps beside the game. */
  const kept = () => ({ state: app.modes.state, mode: app.modes.mode, task: app.training.task, lesson: state.lesson, course: state.course });

  /** Puts the page into the browser's history: as a new entry if `own` is true, else in place of the last entry. */
  function save(own = true) {
    remember(state.game, fen(), state.rules, kept(), own);
  }

  const keep = () => save(false);

  /** Chooses a mode. */
  function enter(mode) {
    const { modes } = app;
    if (mode === modes.state) return;
    const { state: from } = modes;
    modes.pass(mode);
    // A position that cannot be drawn cannot be edited.
    if (mode === "setup" && position() === null) state.game = new Game(format(empty()));
    if (mode === "lesson") app.teach(0);
    else if (tables.key !== keyOf()) app.ask();
    // A position that was set up takes the place of the entry of setting it up.
    save(!(from === "setup" && mode === "explore"));
    app.render();
    app.page.toMode();
  }

  /** Leaves the game against the tables for the choice of another. */
  function endGame() {
    app.modes.pass("end");
    save();
    app.render();
  }

  function retryFrom(place) {
    app.training.trainer.retry(place);
    app.render();
  }

  /** Shows the position. `own` adds an entry for it to the browser's history. */
  function show(own = true) {
    app.ask();
    save(own);
    app.render();
  }

  /** Shows the position that the address names, with the game that was played there, and goes on in its mode. */
  function load() {
    const { modes, training } = app;
    const { fen: text, rules, game, mode, kept: was } = recalled();
    app.leave("link", null);
    const known = was && STATES.includes(was.state) && hasTask(was.state) === Boolean(was.task) ? was.state : MODES.includes(mode) ? mode : "explore";
    modes.enter(modeOf(known));
    state.rules = rules ?? "makruk";
    state.game = game ?? new Game(written(text ?? START, state.rules));
    state.lesson = known === "lesson" ? was?.lesson ?? 0 : 0;
    if (known === "lesson" && was?.course) state.course = was.course;
    if (hasTask(known)) {
      modes.enter(known);
      training.resume(was.task);
      app.page.turnTo(was.task.side);
    }
    if (known === "lesson" && !was) app.teach(0);
    if (known === "games") app.page.recallGames();
    if (!rules) state.hint = t("unknownRules");
    app.ask();
    // The answer to a position already on the board does not arrive a second time.
    training.trainer.consider();
    app.render();
  }

  return { passed, interrupt, interrupted, save, keep, enter, endGame, retryFrom, show, load };
};
