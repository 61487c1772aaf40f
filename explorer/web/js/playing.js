// Moves: those of the user, those of the tables, and lines that are played by themselves. A move is made only when the
// answer to the position before it is there.

import * as api from "./api.js";
import { speak } from "./player.js";
import { ranked } from "./reading.js";
import { answer, canonical, fen, isAsking, options, position, state, tables } from "./state.js";
import { currentLanguage, t } from "./words.js";

/** `app` has the `lines`, the `training`, and the functions of the other parts. */
export const playing = (app) => {
  /** The most moves of the next line that are played. */
  let most = Infinity;

  /** Asks for best play by both sides from here. */
  const fetchLine = (signal) => api.line(fen(), state.rules, { signal });

  /** Plays a move of the user. */
  function play(uci) {
    if (!app.training.trainer.mayMove(position()?.turn) || isAsking()) return;
    playMove(uci, true);
  }

  /** Plays a move of the user (`own`), which is judged in practice, or a move of the tables. */
  function playMove(uci, own = false) {
    const moves = options();
    const index = moves?.findIndex((move) => move.uci === uci) ?? -1;
    if (index < 0) return;
    const { game } = state;
    const { training } = app;
    if (own && training.task && answer()) training.trainer.judge(answer(), index);
    const move = { ...moves[index], fen: canonical(moves[index].fen) };
    app.leave("link", null);
    if (game.replaces(move)) app.dropLater();
    game.play(move);
    // In a game against the tables, the moves after a move that was taken back are no longer known.
    if (own && training.task && !game.atEnd) game.future([]);
    say(move.counted);
    // In a game against the tables an entry of the history is the user's turn, so that going back takes a move back.
    app.show(own || !training.task);
  }

  function playBest() {
    const { game } = state;
    const doc = answer();
    if (!doc || app.training.trainer.hides || isAsking()) return;
    if (game.end && !game.atEnd) go(game.place + 1);
    else {
      const [best] = ranked(doc);
      if (best) play(best.uci);
    }
  }

  function go(place) {
    if (!state.game.go(place)) return;
    app.leave("link", null);
    say(state.game.last?.counted);
    app.show();
  }

  /** Takes up a variation. */
  function vary(index) {
    if (app.training.trainer.hides) return;
    app.leave("link", null);
    state.game.swap(index);
    app.show();
  }

  /** Plays the next move of a line. */
  function step(first) {
    const { game } = state;
    if (tables.status !== "answered" || !game.go(game.place + 1)) return false;
    say(game.last.counted);
    app.show(first || game.atEnd);
    return !game.atEnd;
  }

  /** Plays best play by both sides from here to the end, or at most a given number of moves of it. */
  function toggleLine(moves = Infinity) {
    const { lines } = app;
    if (lines.playing) {
      lines.stop();
      app.render();
      return;
    }
    const { game } = state;
    if (app.training.trainer.hides || isAsking() || (!answer() && !game.end)) return;
    most = moves;
    if (game.end && !game.atEnd) lines.play();
    else lines.start();
  }

  /** Puts a line into the game; false if there is none. */
  function takeLine(found) {
    if (!found.moves.length) {
      app.hint(t("noLine"));
      return false;
    }
    app.dropLater();
    const moves = found.moves.slice(0, most).map((move) => ({ uci: move.uci, san: move.san, counted: move.counted, fen: canonical(move.fen) }));
    if (moves.length < found.moves.length) state.game.future(moves);
    else state.game.future(moves, found.end, found.result);
    return true;
  }

  /** Plays a move and the line with which the opponent shows what it is worth. */
  function showWhy(uci) {
    const { lines } = app;
    lines.stop();
    if (app.training.trainer.hides || !answer()) return;
    const question = { fen: fen(), rules: state.rules };
    lines.start((signal) => api.why(question, uci, { signal }), takeWhy);
  }

  /** Puts a move and the line after it into the game. */
  function takeWhy(found) {
    const { game } = state;
    app.dropLater();
    const line = [found.move, ...found.moves];
    const moves = line.map(({ uci, san, counted, fen: after }) => ({ uci, san, counted, fen: canonical(after) }));
    // A line that shows how a draw is held has no end.
    if (found.end === "draw") game.future(moves);
    else game.future(moves, found.end, found.result);
    state.why = { game, start: game.place, line, follows: found.follows };
    return true;
  }

  /** Plays the rest of a puzzle's solution. */
  async function showSolution() {
    const { training } = app;
    const { puzzle } = training.task;
    const { game } = state;
    const followed = game.moves.findIndex((move, i) => move.uci !== puzzle.moves[i]);
    const from = followed < 0 ? Math.min(game.place, puzzle.moves.length) : followed;
    training.trainer.giveUp();
    if (from !== game.place) go(from);
    training.play(puzzle.moves.slice(from));
  }

  /** Says a number of the count, if the user wants to hear it. */
  function say(n) {
    if (state.aloud) speak(n, currentLanguage());
  }

  return { fetchLine, play, playMove, playBest, go, vary, step, toggleLine, takeLine, showWhy, showSolution };
};
