// The explorer: its parts, and the handlers of everything the user does.

import * as api from "./api.js";
import { settings } from "./browser.js";
import { choices } from "./choices.js";
import { BEGINNINGS, empty, swapped } from "./fen.js";
import { listen } from "./keys.js";
import { learning } from "./learning.js";
import { WATCHED } from "./lesson.js";
import { Lines } from "./lines.js";
import { isPlaying, Modes } from "./modes.js";
import { squareName } from "./notation.js";
import { Page } from "./page.js";
import { passages } from "./passages.js";
import { playing } from "./playing.js";
import { positions } from "./positions.js";
import { problemWords } from "./problem.js";
import { ranked } from "./reading.js";
import { requests } from "./requests.js";
import { keepOffline } from "./source.js";
import { answer, canonical, endings, fen, position, START, state, tables } from "./state.js";
import { Training } from "./training.js";
import { view } from "./view.js";
import { setLanguage, t } from "./words.js";

/** The parts of the page, and the functions that they call of each other. */
const app = { render, view: () => view(app) };
Object.assign(app, requests(app), passages(app), positions(app), playing(app), learning(app));
const { enter, endGame, go, hint, interrupted, keep, load, play, playMove, retryFrom, save, show } = app;

app.modes = new Modes(app.passed);
app.lines = new Lines({
  fetch: app.fetchLine,
  ready: () => tables.status === "answered" || tables.settled,
  step: app.step,
  found: app.takeLine,
  failed: (refused) => hint(problemWords(refused)),
  changed: render,
});
app.training = new Training({
  answer: () => answer(),
  key: () => tables.key,
  game: () => state.game,
  fen: () => fen(),
  rules: () => state.rules,
  play: playMove,
  go,
  openGame(wanted, side) {
    modes.pass("start");
    app.setGame(canonical(wanted), state.rules, null);
    page.turnTo(side);
  },
  ready() {
    show();
    page.toTask();
  },
  searching(what) {
    state.searching = what;
    render();
  },
  unlucky(words) {
    state.unlucky = words;
    render();
  },
  finished: () => modes.pass("finish"),
  retried: () => modes.pass("retry"),
  changed() {
    keep();
    render();
  },
});
const { modes, training } = app;

app.page = new Page({
  play,
  put(sq, which) {
    const now = position() ?? empty();
    const next = [...now.board];
    // Each side has one king: placing a second one moves the first.
    if (which?.toUpperCase() === "K") next.forEach((man, at) => { if (man === which) next[at] = null; });
    next[sq] = which;
    app.edit({ ...now, board: next });
  },
  move(from, to) {
    const now = position() ?? empty();
    const next = [...now.board];
    next[to] = next[from];
    next[from] = null;
    app.edit({ ...now, board: next });
  },
  illegal: (square) => hint(t("illegal", { square: squareName(square) })),
  about(which) {
    state.about = which;
    render();
  },
  slide: app.slide,
  settle: app.setSaid,
  edit: app.edit,
  begin: () => app.open(BEGINNINGS[state.rules]),
  random: app.random,
  position,
  choose: app.choose,
  turn: app.turn,
  readLetters: app.readLetters,
  openAsean: () => app.open(state.game.fen, "asean"),
  open: app.open,
  openText: app.openText,
  go,
  why: app.showWhy,
  vary: app.vary,
  openFile: app.openFile,
  showGame: app.showGame,
  mode: enter,
  lesson: {
    step(step) {
      app.teach(step);
      save();
    },
    watch: () => app.toggleLine(WATCHED),
    slide: app.slide,
    close: () => enter("explore"),
    rules: () => page.legend.openCount(),
    man: (kind) => page.legend.open(kind),
    chapter: app.chapter,
    answer: app.answerQuestion,
    cancel: interrupted,
  },
  practice: {
    start: (wish) => training.start(wish),
    hint() {
      training.task.revealed = !training.task.revealed;
      render();
    },
    back: () => go(Math.max(0, state.game.place - (position()?.turn === training.task.side ? 2 : 1))),
    giveUp() {
      training.trainer.giveUp();
      render();
    },
    again: () => training.again(),
    next: () => training.next(),
    set: endGame,
    retry: retryFrom,
    cancel: interrupted,
    save: (text) => page.save(text, "sakmak-progress.json", "application/json"),
    restored() {
      training.recall();
      render();
    },
  },
  puzzles: {
    next: (wish) => training.nextPuzzle(wish),
    daily() {
      // The puzzle of the day is one of makruk, whatever rules are shown.
      if (state.rules !== "makruk") app.choose("makruk");
      training.puzzleOfDay(endings.answer ?? []);
    },
    hint() {
      const [best] = ranked(tables.answer ?? { answer: { moves: [] }, moves: [] });
      if (answer() && best) page.point(best.uci);
    },
    solution: app.showSolution,
    set: endGame,
    cancel: interrupted,
    retry: () => retryFrom(state.game.place - 2 >= 0 && position()?.turn === training.task.side ? state.game.place - 2 : state.game.place - 1),
  },
  act: {
    first: () => go(0),
    back: () => go(state.game.place - 1),
    forward: () => go(state.game.place + 1),
    last: () => go(state.game.moves.length),
    best: app.playBest,
    line: () => app.toggleLine(),
    setUp: toggleEditor,
    flip: () => page.flip(),
    undo: app.takeBack,
    home() {
      modes.pass("explore");
      app.open(START, "makruk");
    },
    ...choices({ render, translate: () => page.translate() }),
  },
});
const { page } = app;

function render() {
  try {
    page.show(app.view());
  } catch (error) {
    if (tables.status !== "answered") throw error;
    // An answer that cannot be drawn counts as a refusal.
    tables.refuse(new api.Refused("unreadable", String(error), true));
    page.show(app.view());
  }
}

function toggleEditor() {
  if (!isPlaying(modes.state)) enter(modes.mode === "setup" ? "explore" : "setup");
}

listen({
  " ": app.playBest,
  ArrowLeft: () => go(state.game.place - 1),
  ArrowRight: () => go(state.game.place + 1),
  Home: () => go(0),
  End: () => go(state.game.moves.length),
  f: () => page.flip(),
  e: toggleEditor,
  x: () => position() && !training.task && app.edit(swapped(position())),
  u: app.takeBack,
  "+": () => app.countStep(1),
  "=": () => app.countStep(1),
  "-": () => app.countStep(-1),
  "?": () => page.legend.open(state.about),
  Escape() {
    page.letGo();
    interrupted();
  },
});

addEventListener("popstate", load);
addEventListener("online", app.hurry);
addEventListener("visibilitychange", () => document.hidden || app.hurry());
addEventListener("resize", render);
setLanguage(new URLSearchParams(location.search).get("lang") ?? settings.get("language"));
page.translate();
load();
endings.ask("all", null);
// Files for later visits are fetched after everything that the page needs first.
addEventListener("load", () => {
  document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: "manifest.webmanifest" }));
  setTimeout(keepOffline, 1000);
});
