// Changes of the position on the board: another position, an edit, another rule set, another number of the count.

import * as api from "./api.js";
import { format, uncounted } from "./fen.js";
import { Game } from "./game.js";
import { isPlaying } from "./modes.js";
import { numberSaid } from "./reading.js";
import { canonical, fen, isAsking, position, START, state, tables, undo, withNumber, written } from "./state.js";
import { t } from "./words.js";

/** `app` has the `modes`, the `page`, the `lines`, the `training`, and the functions of the other parts. */
export const positions = (app) => {
  /**
   * Prepares for another position. `from` is the origin of the new position; `event` is the passage of the modes that it
   * makes, null if the game goes on. A passage would lose the old position, so it is kept for undo.
   */
  function leave(from, event) {
    app.lines.stop();
    state.from = from;
    state.hint = "";
    state.unlucky = "";
    state.about = null;
    if (event === null) return;
    state.why = null;
    app.modes.pass(event);
    undo.keep(state.game, state.rules);
  }

  /** Tells the user that the moves after this one were removed, if there were any. */
  function dropLater() {
    if (state.game.atEnd) return;
    undo.keep(state.game, state.rules);
    state.hint = t("removed", { n: state.game.moves.length - state.game.place });
  }

  function hint(words) {
    state.hint = words;
    app.render();
  }

  /** Starts a new game from a position. */
  function setGame(start, rules, event) {
    leave("link", event);
    if (event === null) undo.keep(state.game, state.rules);
    state.rules = rules;
    state.game = new Game(start);
  }

  /** Opens another position. */
  function open(wanted, rules = state.rules) {
    setGame(canonical(wanted), rules, "open");
    app.show();
  }

  function slide(n) {
    app.lines.stop();
    state.preview = n;
    app.render();
  }

  /** Shows a step of the lesson, on the position that the page begins with. */
  function teach(step) {
    state.lesson = step;
    state.preview = undefined;
    if (state.game.fen !== START || state.rules !== "makruk") setGame(START, "makruk", null);
    app.ask();
    app.render();
  }

  /** Opens a FEN that the user has written. */
  function openText(text) {
    const wanted = written(text.trim(), state.rules);
    if (wanted === state.game.fen && tables.status !== "refused") return;
    leave("fen", "open");
    state.game = new Game(wanted);
    app.show();
  }

  function edit(next) {
    leave("board", "change");
    state.game = new Game(format(uncounted(next)));
    app.page.letGo();
    // The whole set-up is one entry of the browser's history.
    app.show(app.modes.mode !== "setup");
  }

  /** Lets the other side move. */
  function turn() {
    const now = position();
    if (now && !isPlaying(app.modes.state)) edit({ ...now, turn: now.turn === "w" ? "b" : "w" });
  }

  /** Reads B and Q of a FEN as khon and met. */
  function readLetters() {
    const wanted = canonical(state.game.fen);
    leave("link", "open");
    state.game = new Game(wanted);
    app.show();
  }

  /**
   * Shows the same position under another rule set. The number counted is dropped, since its meaning depends on the
   * rules.
   */
  function choose(rules) {
    if (rules === state.rules) return;
    const now = position();
    leave(state.from, "change");
    state.rules = rules;
    state.game = new Game(now ? format(uncounted(now)) : state.game.fen);
    app.show();
  }

  function setSaid(n) {
    const { doc } = app.view();
    state.preview = undefined;
    if (!doc?.numbers) return;
    const wanted = format(withNumber(doc, n));
    if (wanted === state.game.fen || (n !== null && tables.answer === doc && n === numberSaid(doc))) {
      app.render();
      return;
    }
    leave("board", null);
    const own = !state.game.atEnd;
    dropLater();
    state.game.amend(wanted);
    state.known = n === null ? null : { fen: fen(), doc, n };
    app.show(own);
  }

  /** Changes the number counted by a step, except in a game against the tables. */
  function countStep(by) {
    if (!app.training.task && !isAsking()) app.page.countStep(by);
  }

  async function random(wanted, category, turn) {
    app.interrupt();
    await app.training.looking("random", async (signal) => {
      const found = await api.random(wanted, state.rules, category, turn, null, { signal });
      if (!signal.aborted) open(found.fen);
    });
  }

  /** Undoes the last change that removed something. */
  function takeBack() {
    if (!undo.any || isPlaying(app.modes.state)) return;
    const { game, rules } = undo.take();
    leave("link", null);
    app.modes.pass("change");
    Object.assign(state, { game, rules });
    app.show(false);
  }

  /** Games of a file are opened. */
  function openFile() {
    if (app.modes.mode === "games") return;
    app.modes.pass("file");
    app.save();
    app.render();
  }

  function showGame({ start, moves, place }, rules) {
    // The user has left the games before they were read.
    if (app.modes.mode !== "games") return;
    leave("link", null);
    undo.keep(state.game, state.rules);
    state.rules = rules;
    state.game = new Game(start);
    state.game.future(moves);
    state.game.go(place);
    app.show();
  }

  return { leave, dropLater, hint, setGame, open, slide, teach, openText, edit, turn, readLetters, choose, setSaid, countStep, random, takeBack, openFile, showGame };
};
