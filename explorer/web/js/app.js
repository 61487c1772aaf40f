// The explorer: the one state from which the whole page is drawn, and the handlers of everything the user does. An
// answer is shown only with the position it is about, and a move is made only when the answer to the position before it
// is there.

import { judged } from "./account.js";
import * as api from "./api.js";
import { recalled, remember, settings, Undo } from "./browser.js";
import { empty, endingOf, format, inLetters, letteringOf, parse, swapped, uncounted } from "./fen.js";
import { Game } from "./game.js";
import { listen } from "./keys.js";
import { WATCHED } from "./lesson.js";
import { Page } from "./page.js";
import { Player, speak } from "./player.js";
import { numberSaid, ranked } from "./reading.js";
import { Asked } from "./store.js";
import { Training } from "./training.js";
import { keepOffline } from "./source.js";
import { currentLanguage, setLanguage, t } from "./words.js";
import { spoken, squareName } from "./notation.js";
import { problemWords } from "./problem.js";

const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";

const state = {
  rules: "makruk",
  game: new Game(START),
  /** The number at which the user holds the slider; undefined if the user holds no number. */
  preview: undefined,
  /**
   * An answer about the same position with another number, shown until the new answer arrives: `fen`, `doc` and `n`.
   */
  known: null,
  /** The origin of the position, which determines where its errors are shown. */
  from: "link",
  /** A note about an action of the user that may have been unintended. */
  hint: "",
  /** The reason why no random position was found. */
  unlucky: "",
  style: settings.get("men") ?? "thai",
  aloud: settings.get("aloud") === "yes",
  plain: settings.get("plain") === "yes",
  /** True if the next edit makes a new entry in the browser's history. */
  fresh: true,
  /** True while the best line is being fetched. */
  lining: false,
  /** The mode of the page: see `modes.js`. */
  mode: "explore",
  /** The current step of the lesson. */
  lesson: 0,
  /** The man that the user pointed at last. */
  about: null,
};
const undo = new Undo();
const tables = new Asked(api.explore, arrived);
const figures = new Asked(api.ending, render);
const endings = new Asked(api.endings, render);
const player = new Player({ ready: () => tables.status === "answered" || tables.settled, step, stopped: render });
const training = new Training({
  answer: () => answer(),
  key: () => tables.key,
  game: () => state.game,
  fen: () => fen(),
  rules: () => state.rules,
  play: playMove,
  go,
  openGame(wanted, side) {
    setGame(canonical(wanted), state.rules);
    page.turnTo(side);
  },
  ready() {
    show();
    page.toTask();
  },
  unlucky(words) {
    state.unlucky = words;
    render();
  },
  changed: render,
});

const canonical = (text) => inLetters(text, "makruk");
const position = () => parse(state.game.fen);
/** The FEN of the position in the letters of the rule set. */
const fen = () => inLetters(state.game.fen, letteringOf(state.rules));

/** The answer about the position on the board, if it has arrived. */
const answer = () => (tables.status === "answered" && state.preview === undefined ? tables.answer : null);

/** The view: all data from which the page is drawn. */
function view() {
  const shown = position();
  const text = fen();
  const exact = tables.status === "answered";
  const known = !exact && tables.status === "pending" && state.known?.fen === text ? state.known : null;
  const doc = exact ? tables.answer : known?.doc ?? null;
  const n = state.preview !== undefined && doc?.numbers ? state.preview : known?.n;
  const refused = tables.status === "refused" ? tables.refused : null;
  const problem = refused ? problemWords(refused) : "";
  const ending = shown && endingOf(shown);
  return {
    ...state,
    key: tables.key,
    position: shown,
    fen: state.preview === undefined || !doc?.numbers ? text : format(withNumber(doc, state.preview), letteringOf(state.rules)),
    turn: shown?.turn,
    doc,
    n,
    exact: exact && state.preview === undefined,
    refused,
    problem: state.from === "fen" ? "" : problem,
    fenProblem: state.from === "fen" ? problem : "",
    ending: ending?.material ?? null,
    swapped: ending?.swapped ?? false,
    figures: !refused && ending && figures.key === ending.material ? figures.answer : null,
    endings: endings.answer ?? [],
    playing: player.playing,
    task: training.task,
    hiding: training.trainer.hides,
    solved: training.solved,
    mayMove: training.trainer.mayMove(shown?.turn),
    undoable: undo.any,
    busy: !(tables.settled && figures.settled && endings.settled),
  };
}

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
  open,
  openText,
  go,
  vary(index) {
    if (training.trainer.hides) return;
    leave("link", false);
    state.game.swap(index);
    show();
  },
  showGame({ start, moves, place }, rules) {
    leave("link");
    state.rules = rules;
    state.game = new Game(start);
    state.game.future(moves);
    state.game.go(place);
    show();
  },
  mode: enter,
  lesson: {
    step: teach,
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
    set() {
      training.stop();
      render();
    },
    retry(place) {
      training.trainer.retry(place);
      render();
    },
  },
  puzzles: {
    next: (wish) => training.nextPuzzle(wish),
    hint() {
      const [best] = ranked(tables.answer ?? { answer: { moves: [] }, moves: [] });
      if (answer() && best) page.point(best.uci);
    },
    solution: showSolution,
    retry: () => training.trainer.retry(state.game.place - 2 >= 0 && position()?.turn === training.task.side ? state.game.place - 2 : state.game.place - 1),
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
    openGames: () => page.chooseGames(),
    aloud(on) {
      state.aloud = on;
      settings.set("aloud", on ? "yes" : "no");
    },
    plain(on) {
      state.plain = on;
      settings.set("plain", on ? "yes" : "no");
      render();
    },
    home: () => open(START, "makruk"),
    language(name) {
      settings.set("language", name);
      setLanguage(name);
      render();
      page.translate();
    },
    men(style) {
      state.style = style;
      settings.set("men", style);
      render();
    },
  },
});

function render() {
  try {
    page.show(view());
  } catch (error) {
    if (tables.status !== "answered") throw error;
    // An answer that cannot be drawn counts as a refusal.
    tables.refuse(new api.Refused("unreadable", String(error), true));
    page.show(view());
  }
}

// Requests.

/** Asks about the position on the board, and drops the answers about other positions. */
function ask() {
  state.preview = undefined;
  const text = fen();
  tables.ask(`${state.rules} ${text}`, { fen: text, rules: state.rules, drawn: position() !== null });
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
  remember(state.game, text, state.rules, false);
}

/** Makes every waiting question try again at once. */
function hurry() {
  for (const asked of [tables, figures, endings]) asked.hurry();
}

// Actions.

/** Shows the position. `own` adds an entry for it to the browser's history. */
function show(own = true) {
  ask();
  remember(state.game, fen(), state.rules, own);
  render();
}

/**
 * Prepares for another position. `from` is the origin of the new position; `lost` is true if the old one would be lost.
 */
function leave(from, lost = true) {
  player.stop();
  state.from = from;
  state.hint = "";
  state.unlucky = "";
  state.about = null;
  if (!lost) return;
  training.stop();
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
function setGame(start, rules) {
  leave("link");
  state.rules = rules;
  state.game = new Game(start);
}

/** Opens another position. */
function open(wanted, rules = state.rules) {
  setGame(canonical(wanted), rules);
  show();
}

function slide(n) {
  player.stop();
  state.preview = n;
  render();
}

/** Changes the mode of the page. */
function enter(mode) {
  if (mode === state.mode) return;
  player.stop();
  training.stop();
  state.unlucky = "";
  state.mode = mode;
  if (mode === "games") page.showGames();
  if (mode === "lesson") teach(0);
  else if (state.preview !== undefined) slide(undefined);
  else render();
  page.toMode();
}

/** Shows a step of the lesson, on the position that the page begins with. */
function teach(step) {
  state.lesson = step;
  if (state.game.fen === START && state.rules === "makruk") {
    slide(undefined);
    return;
  }
  setGame(START, "makruk");
  state.mode = "lesson";
  show();
}

/** Opens a FEN that the user has written. */
function openText(text) {
  const wanted = canonical(text.trim());
  if (wanted === state.game.fen && tables.status !== "refused") return;
  leave("fen");
  state.game = new Game(wanted);
  show();
}

function edit(next) {
  leave("board");
  const own = state.fresh || !page.editing;
  state.fresh = false;
  state.game = new Game(format(uncounted(next)));
  page.letGo();
  show(own);
}

/**
 * Shows the same position under another rule set. The number counted is dropped, since its meaning depends on the
 * rules.
 */
function choose(rules) {
  if (rules === state.rules) return;
  const now = position();
  leave(state.from);
  state.rules = rules;
  state.game = new Game(now ? format(uncounted(now)) : state.game.fen);
  show();
}

/** Shows the position with another number counted; null if the count has not begun. */
function withNumber(doc, n) {
  const next = uncounted(position());
  if (n === null) return next;
  return { ...next, limit: 2 * doc.numbers.limit, counted: doc.numbers.plies[n - doc.numbers.from] };
}

function setSaid(n) {
  const { doc } = view();
  state.preview = undefined;
  if (!doc?.numbers) return;
  const wanted = format(withNumber(doc, n));
  if (wanted === state.game.fen || (n !== null && tables.answer === doc && n === numberSaid(doc))) {
    render();
    return;
  }
  leave("board", false);
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
  leave("link", false);
  if (game.replaces(move)) dropLater();
  game.play(move);
  // In a game against the tables, the moves after a move that was taken back are no longer known.
  if (own && training.task && !game.atEnd) game.future([]);
  say(move.counted);
  show();
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
  leave("link", false);
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
async function toggleLine(most = Infinity) {
  if (player.playing) {
    player.stop();
    render();
    return;
  }
  if (training.trainer.hides || state.lining || (!answer() && !state.game.end)) return;
  const { game } = state;
  const { key } = tables;
  if (!game.end || game.atEnd) {
    state.lining = true;
    let found = null;
    let why = "";
    try {
      found = await api.line(fen(), state.rules);
    } catch (refused) {
      why = problemWords(refused);
    }
    state.lining = false;
    // The answer belongs to another position.
    if (tables.key !== key || state.game !== game) return;
    if (!found?.moves.length) {
      hint(why || t("noLine"));
      return;
    }
    dropLater();
    const moves = found.moves.slice(0, most).map((move) => ({ uci: move.uci, san: move.san, counted: move.counted, fen: canonical(move.fen) }));
    if (moves.length < found.moves.length) game.future(moves);
    else game.future(moves, found.end, found.result);
  }
  player.start();
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
  const { key } = tables;
  state.unlucky = "";
  try {
    const found = await api.random(wanted, state.rules, category, turn);
    if (tables.key === key) open(found.fen);
  } catch (refused) {
    state.unlucky = problemWords(refused);
    render();
  }
}

/** Undoes the last change that removed something. */
function takeBack() {
  if (!undo.any) return;
  leave("link", false);
  training.stop();
  Object.assign(state, undo.take());
  show(false);
}

function toggleEditor() {
  leave(state.from, false);
  state.fresh = true;
  page.toggleEditing();
  // A position that cannot be drawn cannot be edited.
  if (page.editing && position() === null) edit(empty());
  else render();
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
    player.stop();
    page.letGo();
    render();
  },
});

/** Shows the position that the address names, with the game that was played there. */
function load() {
  const { fen: text, rules, game } = recalled();
  leave("link", false);
  training.stop();
  state.rules = rules ?? "makruk";
  state.game = game ?? new Game(canonical(text ?? START));
  if (!rules) state.hint = t("unknownRules");
  ask();
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
