// Play against the tables: whose turn it is, the tables' replies, and the end. A puzzle is such a game in which each
// move of the solver must keep the result.

import { mistakes, points } from "./account.js";
import { availableAt, isOver } from "./reading.js";

/** The number of the user's moves without a loss after which a position that neither side can win counts as held. */
const HELD = 20;
/** The pause before a reply of the tables, in milliseconds, so that the user sees it as a move. */
const PAUSE = 350;

/** The end of the game in a position: the winner and the reason; none if the game goes on. */
export function endOf(doc) {
  const { answer, winner } = doc;
  if (answer.checkmate) return { won: answer.side_to_move === "white" ? "b" : "w", by: "checkmate" };
  if (answer.stalemate) return { won: null, by: "stalemate" };
  if (isOver(doc)) return { won: null, by: "draw" };
  if (winner !== null && points(answer.category) === 0 && availableAt(doc, winner) === 0) return { won: null, by: "count" };
  return null;
}

export class Trainer {
  /**
   * `on` has `answer()`, the answer about the position shown, `key()`, which names it, `game()`, `play(uci)`,
   * `go(place)`, `ask()`, which asks for the reply of the tables, `finished(task)`, `retried()` and `changed()`. `pause`
   * is the wait before a reply.
   */
  constructor(on, pause = PAUSE) {
    this.on = on;
    this.pause = pause;
    this.task = null;
    this.timer = null;
  }

  /** Begins a task: `task` has `kind` (practice, drill or puzzle), `side`, and for a puzzle `puzzle`. */
  start(task) {
    this.stop();
    this.task = { phase: "play", revealed: false, goal: null, aim: null, result: null, said: "", ...task };
  }

  /** Goes on with a game that the browser has kept. */
  resume(task) {
    this.stop();
    this.task = task;
  }

  /** Ends the game against the tables. */
  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.task = null;
  }

  /** True while the verdicts are hidden from the user. */
  get hides() {
    return this.task !== null && this.task.phase === "play" && !this.task.revealed;
  }

  /** True if the user may move now. */
  mayMove(turn) {
    return this.task === null || this.task.phase === "over" || (this.task.phase === "play" && turn === this.task.side);
  }

  /** Judges a move of the user before it is played. In a puzzle a wrong move is refuted, then taken back. */
  judge(doc, index) {
    const { task } = this;
    task.revealed = false;
    task.said = "";
    if (task.kind !== "puzzle") return;
    const least = task.goal === "win" ? 1 : 0;
    if (points(doc.answer.moves[index].category) >= least) return;
    task.phase = "refuting";
    task.wrong = doc.answer.moves[index].san;
    task.failed = true;
  }

  /** Called when an answer has arrived: the game goes on or ends. */
  consider() {
    const { task } = this;
    const doc = this.on.answer();
    if (!task || !doc || !this.on.game().atEnd || !["play", "refuting"].includes(task.phase)) return;
    task.goal ??= this.goalOf(doc);
    task.aim ??= this.aimOf(doc);
    const end = endOf(doc) ?? this.endOfTask(doc);
    if (end) {
      this.finish(end);
      return;
    }
    if (task.phase !== "refuting" && this.isSolved()) {
      this.finish({ won: task.goal === "win" ? task.side : null, by: "solved" });
      return;
    }
    if (doc.answer.side_to_move[0] === task.side) {
      task.found = this.on.game().moves.length > 0;
      // The refutation has been played.
      if (task.phase === "refuting") this.refuted(doc);
      return;
    }
    const known = this.knownReply();
    if (known) this.reply(known);
    else this.on.ask();
  }

  /** The task of the user: to win, to draw, or to resist long. */
  goalOf(doc) {
    const mine = points(doc.answer.category) * (doc.answer.side_to_move[0] === this.task.side ? 1 : -1);
    return { 1: "win", 0: "draw", [-1]: "resist" }[mine];
  }

  /** The task in words. A draw by the count is saved by one side and missed by the other, so the words differ. */
  aimOf({ answer, winner }) {
    const { goal, side } = this.task;
    if (goal !== "draw" || !["cursed-win", "blessed-loss"].includes(answer.category)) return goal;
    return winner[0] === side ? "late" : "out";
  }

  /** Ends a game against the tables that would otherwise go on for ever. */
  endOfTask(doc) {
    const { task } = this;
    if (task.kind === "puzzle") return null;
    // A position that nobody can win any more ends the game. So does one held long enough, since no count runs while
    // bia stand.
    const dead = doc.winner === null;
    const uncounted = points(doc.answer.category) === 0 && availableAt(doc, doc.winner) === null;
    const held = (dead || uncounted) && this.on.game().moves.length / 2 >= HELD;
    if (held) return { won: null, by: task.goal === "draw" || !dead ? "held" : "dead" };
    return dead && task.goal !== "draw" ? { won: null, by: "dead" } : null;
  }

  /** True if the moves of the solution have been found. */
  isSolved() {
    const { task } = this;
    if (task.kind !== "puzzle") return false;
    const { moves } = this.on.game();
    return moves.length >= task.puzzle.moves.length && moves.every((move, i) => i >= task.puzzle.moves.length || move.uci === task.puzzle.moves[i]);
  }

  /** The reply that the puzzle prescribes, while its solution is followed. */
  knownReply() {
    const { task } = this;
    const { moves } = this.on.game();
    const followed = task.kind === "puzzle" && moves.every((move, i) => move.uci === task.puzzle.moves[i]);
    return followed ? task.puzzle.moves[moves.length] ?? null : null;
  }

  /** Plays the reply of the tables, unless the user does something else first. */
  reply(uci) {
    const key = this.on.key();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.task && this.on.key() === key && this.on.game().atEnd) this.on.play(uci);
    }, this.pause);
  }

  refuted(doc) {
    const { task } = this;
    task.phase = "refuted";
    task.winner = doc.winner;
    task.left = doc.winner ? availableAt(doc, doc.winner) : null;
    task.needed = doc.answer.dth ?? doc.answer.dtm;
    this.on.changed();
  }

  finish({ won, by }) {
    const { task } = this;
    // A wrong move in a puzzle may end the game at once.
    if (task.phase === "refuting") {
      Object.assign(task, { phase: "refuted", left: null, needed: null });
      this.on.changed();
      return;
    }
    task.phase = "over";
    task.revealed = true;
    const result = won === null ? "drawn" : won === task.side ? "won" : "lost";
    const reached = { win: result === "won", draw: result !== "lost", resist: result !== "lost" }[task.goal];
    const spare = result === "won" ? this.on.answer().answer.count?.moves_available ?? null : null;
    Object.assign(task, { result, by, reached, spare, mistakes: mistakes(this.on.game()) });
    this.on.finished(task);
    this.on.changed();
  }

  /** Goes back to the position before the wrong move or the mistake, so that the user can try again. */
  retry(place) {
    const { task } = this;
    task.phase = "play";
    task.revealed = false;
    task.result = null;
    this.on.retried();
    this.on.go(place);
  }

  /** Stops at the user's request, and ends the task with the result so far. */
  giveUp() {
    const { task } = this;
    clearTimeout(this.timer);
    task.phase = "over";
    task.revealed = true;
    Object.assign(task, { result: "stopped", by: "stopped", reached: false, mistakes: mistakes(this.on.game()) });
    this.on.finished(task);
    this.on.changed();
  }
}
