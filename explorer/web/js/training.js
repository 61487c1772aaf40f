// Positions for practice, and puzzles: how they are fetched, and which puzzles are remembered as solved.

import * as api from "./api.js";
import { settings } from "./browser.js";
import { endingOfDay, progress, streak, today } from "./daily.js";
import { endingOf, format, parse, swapped } from "./fen.js";
import { problemWords } from "./problem.js";
import { LEVELS } from "./progress.js";
import { Asked } from "./store.js";
import { Trainer } from "./trainer.js";
import { t } from "./words.js";

/** The largest number of solved puzzles that are remembered. */
const REMEMBERED = 2000;

const sideToMove = (fen) => fen.split(" ")[1];

export class Training {
  /**
   * `on` has the functions of `Trainer` except `ask` and `finished`, and `fen()`, `rules()`, `key()`,
   * `openGame(fen, side)`, `ready()`, `finished()`, `searching(what)`, called when a search begins (and, with null, ends),
   * and `unlucky(words)`, called when nothing was found.
   */
  constructor(on) {
    this.on = on;
    this.replies = new Asked(api.reply, () => this.replied());
    const pause = settings.get("pause");
    this.trainer = new Trainer({
      ...on,
      ask: () => {
        this.replies.ask(on.key(), { fen: on.fen(), rules: on.rules() });
        // When a move is taken back and made again, the reply is already known.
        if (this.replies.status === "answered") this.replied();
      },
      finished: (task) => this.finished(task),
    }, pause === null ? undefined : Number(pause));
    /** The puzzles fetched for each ending and rule set, and the request in progress. */
    this.puzzles = new Map();
    /** The search in progress, and the solution that is being shown. */
    this.search = null;
    this.recall();
  }

  /** Reads the puzzles that the browser remembers as solved. */
  recall() {
    this.solvedFens = new Set((settings.get("solved") ?? "").split("|").filter(Boolean));
  }

  get task() {
    return this.trainer.task;
  }

  get solved() {
    return this.solvedFens.size;
  }

  /** The number of puzzles solved of each ending. */
  get progress() {
    const endings = [...this.solvedFens].map((text) => endingOf(parse(text.slice(text.indexOf(" ") + 1)))?.material);
    return progress(endings.filter(Boolean));
  }

  stop() {
    this.stopSearch();
    this.trainer.stop();
  }

  /** Ends a search, and the playing of a solution. */
  stopSearch() {
    this.search?.abort();
    this.search = null;
  }

  /** Goes on with a game that the browser has kept. */
  resume(task) {
    this.trainer.resume(task);
  }

  replied() {
    const { answer, key } = this.replies;
    if (answer?.move && this.task && key === this.on.key()) this.trainer.reply(answer.move.uci);
    else if (this.replies.refused) this.on.changed();
  }

  /** Opens a position as a game against the tables. */
  begin(fen, task) {
    this.on.openGame(fen, task.side);
    this.trainer.start({ ...task, fen });
    this.on.ready();
    // The answer to a position already on the board does not arrive a second time.
    this.trainer.consider();
    this.on.changed();
  }

  /** Starts practice: `task` is win, hold, drill or board. */
  async start({ task, ending, side }) {
    if (task === "board") {
      this.begin(this.on.fen(), { kind: "practice", side });
      return;
    }
    await this.looking("practice", async (signal) => {
      const level = task === "drill" ? Number(settings.get(`level-${ending}`) ?? 1) : null;
      const fen = await this.position(task, ending, level, signal);
      if (signal.aborted) return;
      const inRow = task === "drill" ? Number(settings.get(`streak-${ending}`) ?? 0) : null;
      this.begin(fen, { kind: task === "drill" ? "drill" : "practice", side: sideToMove(fen), what: task, ending, level, streak: inRow });
    });
  }

  /** Runs a search and reports its errors, unless the user has started something else. */
  async looking(what, find) {
    this.stopSearch();
    const search = new AbortController();
    this.search = search;
    this.on.unlucky("");
    this.on.searching(what);
    let words = "";
    try {
      await find(search.signal);
    } catch (refused) {
      words = refused.kind === "not-found" && what === "practice" ? t("nonePractice") : problemWords(refused);
    }
    if (search.signal.aborted) return;
    this.on.searching(null);
    if (words) this.on.unlucky(words);
  }

  /** Finds a position for a task. */
  async position(task, ending, level, signal) {
    const rules = this.on.rules();
    const random = (...wish) => api.random(ending, rules, ...wish, { signal });
    if (task === "win") return (await random("win", null, null)).fen;
    if (task === "hold") {
      try {
        return (await random("blessed-loss", null, null)).fen;
      } catch (refused) {
        if (refused.kind !== "not-found") throw refused;
        return (await random("draw", "b", null)).fen;
      }
    }
    const figures = await api.ending(ending, { signal });
    const longest = figures.rules.find((set) => set.rules === rules)?.longest_inside_count;
    if (!longest) throw new api.Refused("not-found", "");
    const to = Math.max(1, Math.ceil((longest.moves * level) / LEVELS));
    const from = Math.min(to, Math.max(1, Math.floor((longest.moves * (level - 1)) / LEVELS) + 1));
    try {
      return (await random("win", null, `${from}..${to}`)).fen;
    } catch (refused) {
      if (refused.kind !== "not-found") throw refused;
      // Every length has an example.
      const example = figures.examples.white_to_move.white_wins.slice(0, to + 1).findLast(Boolean) ?? longest.fen;
      const position = parse(example);
      return format(Math.random() < 0.5 ? swapped(position) : position);
    }
  }

  /** Plays moves one after another, each when the answer about the previous position has arrived. */
  play(moves) {
    const showing = new AbortController();
    this.stopSearch();
    this.search = showing;
    this.playNext(moves, showing.signal);
  }

  playNext(moves, signal) {
    const [first, ...rest] = moves;
    if (!first) return;
    const wait = () => {
      if (signal.aborted) return;
      if (!this.on.answer()) {
        setTimeout(wait, 50);
        return;
      }
      this.on.play(first);
      setTimeout(() => this.playNext(rest, signal), Math.max(50, this.trainer.pause));
    };
    wait();
  }

  /** Records a finished game. */
  finished(task) {
    this.on.finished();
    if (task.kind === "drill") {
      const clean = task.reached && task.mistakes.length === 0;
      task.streak = clean ? task.streak + 1 : 0;
      const next = Math.min(LEVELS, Math.max(1, task.level + (clean ? 1 : -1)));
      settings.set(`streak-${task.ending}`, task.streak);
      settings.set(`level-${task.ending}`, next);
    }
    if (task.kind === "puzzle" && task.by === "solved" && !task.failed) {
      this.solvedFens.add(`${task.puzzle.rules} ${task.puzzle.fen}`);
      settings.set("solved", [...this.solvedFens].slice(-REMEMBERED).join("|"));
      if (task.daily === today().date) streak.solved();
    }
  }

  /** Starts the same position again. */
  again() {
    const { kind, side, what, ending, level, streak: inRow, puzzle, fen } = this.task;
    this.begin(fen, { kind, side, what, ending, level, streak: inRow, puzzle });
  }

  /** Starts another position with the same task. */
  next() {
    const { what, ending } = this.task;
    return this.start({ task: what, ending });
  }

  /** Starts the puzzle of the day, under makruk. */
  puzzleOfDay(endings) {
    return this.looking("puzzles", async (signal) => {
      const { day, date } = today();
      // Some endings have no puzzle: then the next day's ending has one.
      for (let i = 0; i < endings.length; i += 1) {
        const ending = endingOfDay(day + i, endings);
        const puzzle = await api.daily(ending, day, { signal }).catch((refused) => {
          if (refused.kind !== "not-found") throw refused;
          return null;
        });
        if (signal.aborted) return;
        if (!puzzle) continue;
        this.begin(puzzle.fen, { kind: "puzzle", side: puzzle.side_to_move[0], goal: puzzle.goal, puzzle, daily: date });
        return;
      }
      throw new api.Refused("not-found", "");
    });
  }

  /** Starts another puzzle, if possible one that is not solved yet. */
  nextPuzzle({ ending, side, grade, theme }) {
    return this.looking("puzzles", async (signal) => {
      const rules = this.on.rules();
      const key = `${rules} ${ending} ${theme}`;
      const seed = Math.floor(Math.random() * 2 ** 32);
      const listed = this.puzzles.get(key) ?? await api.puzzles(ending, rules, theme, seed, { signal });
      if (signal.aborted) return;
      const fits = (puzzle) => (side === "any" || puzzle.side_to_move === side) && (!grade || String(puzzle.grade) === grade);
      const fitting = listed.filter(fits);
      const fresh = fitting.filter((puzzle) => !this.solvedFens.has(`${rules} ${puzzle.fen}`) && puzzle !== this.task?.puzzle);
      const puzzle = (fresh.length ? fresh : fitting)[Math.floor(Math.random() * Math.max(1, (fresh.length || fitting.length)))];
      // A list that is used up is fetched again.
      if (fresh.length <= 1) this.puzzles.delete(key);
      else this.puzzles.set(key, listed);
      if (!puzzle) {
        const others = [...new Set(listed.map((one) => one.grade))].sort().join(", ");
        this.on.unlucky(t("nonePuzzle", { ending, grades: others }));
        return;
      }
      this.begin(puzzle.fen, { kind: "puzzle", side: puzzle.side_to_move[0], goal: puzzle.goal, puzzle });
    });
  }
}
