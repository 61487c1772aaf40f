// The explorer: the handlers of everything the user does. A move is made only when the answer to the position before it is
// there.

import { judged } from "./account.js";
import * as api from "./api.js";
import { recalled, remember, settings } from "./browser.js";
import { choices } from "./choices.js";
import { empty, format, swapped, uncounted } from "./fen.js";
import { Game } from "./game.js";
import { listen } from "./keys.js";
import { WATCHED } from "./lesson.js";
import { Lines } from "./lines.js";
import { hasTask, isPlaying, modeOf, Modes, MODES, STATES } from "./modes.js";
import { Page } from "./page.js";
import { speak } from "./player.js";
import { hasBia, numberSaid, ranked } from "./reading.js";
import { answer, canonical, endings, fen, figures, keyOf, others, position, START, state, tables, undo, withNumber, written } from "./state.js";
import { Training } from "./training.js";
import { keepOffline } from "./source.js";
import { view } from "./view.js";
import { currentLanguage, setLanguage, t } from "./words.js";
import { spoken, squareName } from "./notation.js";
import { problemWords } from "./problem.js";

tables.changed = arrived;
for (const asked of [figures, endings, others]) asked.changed = render;
const modes = new Modes(passed);
const lines = new Lines({
  fetch: (signal) => api.line(fen(), state.rules, { signal }),
  ready: () => tables.status === "answered" || tables.settled,
  step,
  found: takeLine,
  failed: (refused) => hint(problemWords(refused)),
  changed: render,
});
/** The most moves of the next line that are played. */
let most = Infinity;
const training = new Training({
  answer: () => answer(),
  key: () => tables.key,
  game: () => state.game,
  fen: () => fen(),
  rules: () => state.rules,
  play: playMove,
  go,
  openGame(wanted, side) {
    modes.pass("start");
    setGame(canonical(wanted), state.rules, null);
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

const parts = { modes, lines, training };
const page = new Page({
  play,
  put(sq, which) {
    const now = position() ?? empty();
    const next = [...now.board];
    // Each side has one king: placing a second one moves the first.
    if (which?.toUpperCase() === "K") next.forEach((man, at) => { if (man === which) next[at] = null; });
    next[sq] = which;
    edit({ ...now, board: next });
  },
  move(from, to) {
    const now = position() ?? empty();
    const next = [...now.board];
    next[to] = next[from];
    next[from] = null;
    edit({ ...now, board: next });
  },
  illegal: (square) => hint(t("illegal", { square: squareName(square) })),
  about(which) {
    state.about = which;
    render();
  },
  slide,
  settle: setSaid,
  edit,
  random,
  position,
  choose,
  turn() {
    const now = position();
    if (now && !isPlaying(modes.state)) edit({ ...now, turn: now.turn === "w" ? "b" : "w" });
  },
  readLetters() {
    const wanted = canonical(state.game.fen);
    leave("link", "open");
    state.game = new Game(wanted);
    show();
  },
  openAsean: () => open(state.game.fen, "asean"),
  open,
  openText,
  go,
  vary(index) {
    if (training.trainer.hides) return;
    leave("link", null);
    state.game.swap(index);
    show();
  },
  /** Games of a file are opened. */
  openFile() {
    if (modes.mode === "games") return;
    modes.pass("file");
    save();
    render();
  },
  showGame({ start, moves, place }, rules) {
    // The user has left the games before they were read.
    if (modes.mode !== "games") return;
    leave("link", null);
    undo.keep(state.game, state.rules);
    state.rules = rules;
    state.game = new Game(start);
    state.game.future(moves);
    state.game.go(place);
    show();
  },
  mode: enter,
  lesson: {
    step(step) {
      teach(step);
      save();
    },
    watch: () => toggleLine(WATCHED),
    slide,
    close: () => enter("explore"),
    rules: () => page.legend.openCount(),
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
  },
  puzzles: {
    next: (wish) => training.nextPuzzle(wish),
    daily() {
      // The puzzle of the day is one of makruk, whatever rules are shown.
      if (state.rules !== "makruk") choose("makruk");
      training.puzzleOfDay(endings.answer ?? []);
    },
    hint() {
      const [best] = ranked(tables.answer ?? { answer: { moves: [] }, moves: [] });
      if (answer() && best) page.point(best.uci);
    },
    solution: showSolution,
    set: endGame,
    cancel: interrupted,
    retry: () => retryFrom(state.game.place - 2 >= 0 && position()?.turn === training.task.side ? state.game.place - 2 : state.game.place - 1),
  },
  act: {
    first: () => go(0),
    back: () => go(state.game.place - 1),
    forward: () => go(state.game.place + 1),
    last: () => go(state.game.moves.length),
    best: playBest,
    line: () => toggleLine(),
    setUp: toggleEditor,
    flip: () => page.flip(),
    undo: takeBack,
    home() {
      modes.pass("explore");
      open(START, "makruk");
    },
    ...choices({ render, translate: () => page.translate() }),
  },
});

function render() {
  try {
    page.show(view(parts));
  } catch (error) {
    if (tables.status !== "answered") throw error;
    // An answer that cannot be drawn counts as a refusal.
    tables.refuse(new api.Refused("unreadable", String(error), true));
    page.show(view(parts));
  }
}

// Requests.

/** Asks about the position on the board, and drops the answers about other positions. */
function ask() {
  state.preview = undefined;
  tables.ask(keyOf(), { fen: fen(), rules: state.rules, drawn: position() !== null });
}

/** Called when an answer or a refusal has arrived. */
function arrived() {
  const doc = tables.answer;
  if (doc) {
    adopt(doc.answer.fen);
    const said = state.game.last ? `${t("played", { move: spoken(state.game.last.san) })} ` : "";
    page.announce(said, training.trainer.hides ? null : doc);
  }
  training.trainer.consider();
  if (training.task) keep();
  else if (tables.refused && state.rules !== "makruk" && hasBia(fen())) others.ask(tables.key, { fen: fen(), rules: "makruk", drawn: true });
  render();
  if (doc) queueMicrotask(() => askFigures(doc));
}

/** Fetches the statistics of the ending once the verdict has arrived, which matters more. */
function askFigures(doc) {
  const { material } = doc.ending;
  if (tables.answer !== doc || (figures.key === material && figures.status !== "refused")) return;
  figures.ask(material, material);
  render();
}

/** Replaces the FEN of the position with the tables' form of it. */
function adopt(text) {
  if (text === fen()) return;
  state.game.rename(canonical(text));
  tables.key = `${state.rules} ${text}`;
  keep();
}

/** Makes every waiting question try again at once. */
function hurry() {
  for (const asked of [tables, figures, endings, others]) asked.hurry();
}

// Modes and the browser's history.

/** Ends what belongs to the state before a passage. */
function passed(from, to) {
  interrupt();
  state.unlucky = "";
  state.hint = "";
  state.about = null;
  state.preview = undefined;
  if (hasTask(from) && !hasTask(to)) {
    training.stop();
    page.turnBack();
  }
  page.edit(to === "setup");
}

/** Stops what is on its way: a line, a solution, a search. */
function interrupt() {
  lines.stop();
  training.stopSearch();
  state.searching = null;
}

function interrupted() {
  interrupt();
  render();
}

/** What the browser's history keeps beside the game. */
const kept = () => ({ state: modes.state, mode: modes.mode, task: training.task, lesson: state.lesson });

/** Puts the page into the browser's history: as a new entry if `own` is true, else in place of the last entry. */
function save(own = true) {
  remember(state.game, fen(), state.rules, kept(), own);
}

const keep = () => save(false);

/** Chooses a mode. */
function enter(mode) {
  if (mode === modes.state) return;
  const { state: from } = modes;
  modes.pass(mode);
  // A position that cannot be drawn cannot be edited.
  if (mode === "setup" && position() === null) state.game = new Game(format(empty()));
  if (mode === "lesson") teach(0);
  else if (tables.key !== keyOf()) ask();
  // A position that was set up takes the place of the entry of setting it up.
  save(!(from === "setup" && mode === "explore"));
  render();
  page.toMode();
}

/** Leaves the game against the tables for the choice of another. */
function endGame() {
  modes.pass("end");
  save();
  render();
}

function retryFrom(place) {
  training.trainer.retry(place);
  render();
}

// Actions.

/** Shows the position. `own` adds an entry for it to the browser's history. */
function show(own = true) {
  ask();
  save(own);
  render();
}

/**
 * Prepares for another position. `from` is the origin of the new position; `event` is the passage of the modes that it
 * makes, null if the game goes on. A passage would lose the old position, so it is kept for undo.
 */
function leave(from, event) {
  lines.stop();
  state.from = from;
  state.hint = "";
  state.unlucky = "";
  state.about = null;
  if (event === null) return;
  modes.pass(event);
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
  render();
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
  show();
}

function slide(n) {
  lines.stop();
  state.preview = n;
  render();
}

/** Shows a step of the lesson, on the position that the page begins with. */
function teach(step) {
  state.lesson = step;
  state.preview = undefined;
  if (state.game.fen !== START || state.rules !== "makruk") setGame(START, "makruk", null);
  ask();
  render();
}

/** Opens a FEN that the user has written. */
function openText(text) {
  const wanted = written(text.trim(), state.rules);
  if (wanted === state.game.fen && tables.status !== "refused") return;
  leave("fen", "open");
  state.game = new Game(wanted);
  show();
}

function edit(next) {
  leave("board", "change");
  state.game = new Game(format(uncounted(next)));
  page.letGo();
  // The whole set-up is one entry of the browser's history.
  show(modes.mode !== "setup");
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
  show();
}

function setSaid(n) {
  const { doc } = view(parts);
  state.preview = undefined;
  if (!doc?.numbers) return;
  const wanted = format(withNumber(doc, n));
  if (wanted === state.game.fen || (n !== null && tables.answer === doc && n === numberSaid(doc))) {
    render();
    return;
  }
  leave("board", null);
  const own = !state.game.atEnd;
  dropLater();
  state.game.amend(wanted);
  state.known = n === null ? null : { fen: fen(), doc, n };
  show(own);
}

/** Plays a move of the user. */
function play(uci) {
  if (!training.trainer.mayMove(position()?.turn)) return;
  playMove(uci, true);
}

/** Plays a move of the user (`own`), which is judged in practice, or a move of the tables. */
function playMove(uci, own = false) {
  const doc = answer();
  const index = doc?.answer.moves.findIndex((move) => move.uci === uci) ?? -1;
  if (index < 0) return;
  const { game } = state;
  if (own && training.task) training.trainer.judge(doc, index);
  const details = doc.moves[index];
  const move = { uci, san: doc.answer.moves[index].san, counted: details.counted, fen: canonical(details.fen), ...judged(doc.answer, index) };
  leave("link", null);
  if (game.replaces(move)) dropLater();
  game.play(move);
  // In a game against the tables, the moves after a move that was taken back are no longer known.
  if (own && training.task && !game.atEnd) game.future([]);
  say(move.counted);
  // In a game against the tables an entry of the history is the user's turn, so that going back takes a move back.
  show(own || !training.task);
}

function playBest() {
  const { game } = state;
  const doc = answer();
  if (!doc || training.trainer.hides) return;
  if (game.end && !game.atEnd) go(game.place + 1);
  else {
    const [best] = ranked(doc);
    if (best) play(best.uci);
  }
}

function go(place) {
  if (!state.game.go(place)) return;
  leave("link", null);
  say(state.game.last?.counted);
  show();
}

/** Plays the next move of a line. */
function step(first) {
  const { game } = state;
  if (tables.status !== "answered" || !game.go(game.place + 1)) return false;
  say(game.last.counted);
  show(first || game.atEnd);
  return !game.atEnd;
}

/** Plays best play by both sides from here to the end, or at most a given number of moves of it. */
function toggleLine(moves = Infinity) {
  if (lines.playing) {
    lines.stop();
    render();
    return;
  }
  const { game } = state;
  if (training.trainer.hides || (!answer() && !game.end)) return;
  most = moves;
  if (game.end && !game.atEnd) lines.play();
  else lines.start();
}

/** Puts a line into the game; false if there is none. */
function takeLine(found) {
  if (!found.moves.length) {
    hint(t("noLine"));
    return false;
  }
  dropLater();
  const moves = found.moves.slice(0, most).map((move) => ({ uci: move.uci, san: move.san, counted: move.counted, fen: canonical(move.fen) }));
  if (moves.length < found.moves.length) state.game.future(moves);
  else state.game.future(moves, found.end, found.result);
  return true;
}

/** Plays the rest of a puzzle's solution. */
async function showSolution() {
  const { task } = training;
  const { puzzle } = task;
  const { game } = state;
  const followed = game.moves.findIndex((move, i) => move.uci !== puzzle.moves[i]);
  const from = followed < 0 ? Math.min(game.place, puzzle.moves.length) : followed;
  training.trainer.giveUp();
  if (from !== game.place) go(from);
  training.play(puzzle.moves.slice(from));
}

async function random(wanted, category, turn) {
  interrupt();
  await training.looking("random", async (signal) => {
    const found = await api.random(wanted, state.rules, category, turn, null, { signal });
    if (!signal.aborted) open(found.fen);
  });
}

/** Undoes the last change that removed something. */
function takeBack() {
  if (!undo.any || isPlaying(modes.state)) return;
  const { game, rules } = undo.take();
  leave("link", null);
  modes.pass("change");
  Object.assign(state, { game, rules });
  show(false);
}

function toggleEditor() {
  if (!isPlaying(modes.state)) enter(modes.mode === "setup" ? "explore" : "setup");
}

/** Changes the number counted by a step, except in a game against the tables. */
function countStep(by) {
  if (!training.task) page.countStep(by);
}

function say(n) {
  if (state.aloud) speak(n, currentLanguage());
}

listen({
  " ": playBest,
  ArrowLeft: () => go(state.game.place - 1),
  ArrowRight: () => go(state.game.place + 1),
  Home: () => go(0),
  End: () => go(state.game.moves.length),
  f: () => page.flip(),
  e: toggleEditor,
  x: () => position() && !training.task && edit(swapped(position())),
  u: takeBack,
  "+": () => countStep(1),
  "=": () => countStep(1),
  "-": () => countStep(-1),
  "?": () => page.legend.open(state.about),
  Escape() {
    page.letGo();
    interrupted();
  },
});

/** Shows the position that the address names, with the game that was played there, and goes on in its mode. */
function load() {
  const { fen: text, rules, game, mode, kept: was } = recalled();
  leave("link", null);
  const known = was && STATES.includes(was.state) && hasTask(was.state) === Boolean(was.task) ? was.state : MODES.includes(mode) ? mode : "explore";
  modes.enter(modeOf(known));
  state.rules = rules ?? "makruk";
  state.game = game ?? new Game(written(text ?? START, state.rules));
  state.lesson = known === "lesson" ? was?.lesson ?? 0 : 0;
  if (hasTask(known)) {
    modes.enter(known);
    training.resume(was.task);
    page.turnTo(was.task.side);
  }
  if (known === "lesson" && !was) teach(0);
  if (known === "games") page.recallGames();
  if (!rules) state.hint = t("unknownRules");
  ask();
  // The answer to a position already on the board does not arrive a second time.
  training.trainer.consider();
  render();
}

addEventListener("popstate", load);
addEventListener("online", hurry);
addEventListener("visibilitychange", () => document.hidden || hurry());
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
