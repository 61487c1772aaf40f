// Play against the tables: whose move it is, what the tables answer, and how it ends. A puzzle is such a
// game in which each move of the solver must keep the result.

import { mistakes, points } from "./account.js";
import { availableAt, isOver } from "./reading.js";

/** A position that neither side can win is held if so many own moves have not lost it. */
const HELD = 20;
/** How long the tables wait with a reply, in milliseconds, so that it is seen to be one. */
const PAUSE = 350;

/** How a position ends the game, if it does: who has won, and by what. */
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
   * `on` has `answer()`, the answer about the position shown, `key()`, which names it, `game()`,
   * `play(uci)`, `go(place)`, `ask()`, which asks for the reply of the tables, `finished(task)` and
   * `changed()`. `pause` is the wait before a reply.
   */
  constructor(on, pause = PAUSE) {
    this.on = on;
    this.pause = pause;
    this.task = null;
    this.timer = null;
  }

  /** Begins: `task` has `kind` (practice, drill or puzzle), `side`, and for a puzzle `puzzle`. */
  start(task) {
    this.stop();
    this.task = { phase: "play", revealed: false, goal: null, result: null, said: "", ...task };
  }

  /** No game against the tables any more. */
  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.task = null;
  }

  /** True while verdicts are hidden. */
  get hides() {
    return this.task !== null && this.task.phase === "play" && !this.task.revealed;
  }

  /** True if the one at the board may move now. */
  mayMove(turn) {
    return this.task === null || this.task.phase === "over" || (this.task.phase === "play" && turn === this.task.side);
  }

  /** Before a move of the one at the board: a wrong one in a puzzle is answered, and then taken back. */
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

  /** An answer is there: the game goes on, or ends. */
  consider() {
    const { task } = this;
    const doc = this.on.answer();
    if (!task || !doc || !this.on.game().atEnd || !["play", "refuting"].includes(task.phase)) return;
    task.goal ??= this.goalOf(doc);
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
      // The refutation has been played.
      if (task.phase === "refuting") this.refuted(doc);
      return;
    }
    const known = this.knownReply();
    if (known) this.reply(known);
    else this.on.ask();
  }

  /** What the one at the board plays for: a win, a draw, or a long resistance. */
  goalOf(doc) {
    const mine = points(doc.answer.category) * (doc.answer.side_to_move[0] === this.task.side ? 1 : -1);
    return { 1: "win", 0: "draw", [-1]: "resist" }[mine];
  }

  /** What ends a game against the tables that could go on for ever. */
  endOfTask(doc) {
    const { task } = this;
    if (task.kind === "puzzle") return null;
    // What nobody can win is over, and so is what was held so long, also where no count would end it: while bia stand.
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

  /** The reply that a puzzle has, as long as its solution is followed. */
  knownReply() {
    const { task } = this;
    const { moves } = this.on.game();
    const followed = task.kind === "puzzle" && moves.every((move, i) => move.uci === task.puzzle.moves[i]);
    return followed ? task.puzzle.moves[moves.length] ?? null : null;
  }

  /** The tables reply, unless something else is done meanwhile. */
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
    task.left = doc.winner ? availableAt(doc, doc.winner) : null;
    task.needed = doc.answer.dth ?? doc.answer.dtm;
    this.on.changed();
  }

  finish({ won, by }) {
    const { task } = this;
    // A wrong move of a puzzle may end the game at once.
    if (task.phase === "refuting") {
      Object.assign(task, { phase: "refuted", left: null, needed: null });
      this.on.changed();
      return;
    }
    task.phase = "over";
    task.revealed = true;
    const result = won === null ? "drawn" : won === task.side ? "won" : "lost";
    const reached = { win: result === "won", draw: result !== "lost", resist: result !== "lost" }[task.goal];
    Object.assign(task, { result, by, reached, mistakes: mistakes(this.on.game()) });
    this.on.finished(task);
    this.on.changed();
  }

  /** Back before the wrong move, or before a mistake, to try again. */
  retry(place) {
    const { task } = this;
    task.phase = "play";
    task.revealed = false;
    task.result = null;
    this.on.go(place);
  }

  /** The one at the board stops: what is known then is the end. */
  giveUp() {
    const { task } = this;
    clearTimeout(this.timer);
    task.phase = "over";
    task.revealed = true;
    Object.assign(task, { result: "stopped", by: "stopped", reached: false, mistakes: mistakes(this.on.game()) });
    this.on.finished(task);
  }
}
