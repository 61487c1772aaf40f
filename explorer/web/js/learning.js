// The course in the count: its questions are asked, shown on the board and answered.

import * as api from "./api.js";
import { learned } from "./course.js";
import { Game } from "./game.js";
import { canonical, state } from "./state.js";

/** `app` has the `training`, and the functions of the other parts. */
export const learning = (app) => {
  /** Asks a question of a chapter; without a chapter the introduction begins. */
  async function chapter(name, rules, ending) {
    state.course = { chapter: name, ending, question: null, chosen: null };
    if (name === null) {
      app.interrupt();
      app.teach(0);
      app.save();
      return;
    }
    await app.training.looking("course", async (signal) => {
      const question = await api.course({ lesson: name, rules, ending: name === "promote" ? ending : null }, { signal });
      if (!signal.aborted) ask(question);
    });
  }

  /** Shows the position of a question. */
  function ask(question) {
    app.leave("link", null);
    state.course = { ...state.course, question, chosen: null };
    state.rules = question.rules;
    state.game = new Game(canonical(question.fen));
    // The end of the question before may have been told.
    app.page.announce("", null);
    app.show();
    app.page.toTask();
  }

  /** Takes an answer, and plays the move that the question is about. */
  function answer(index) {
    const { course, game } = state;
    const { question, chapter: name } = course;
    if (!question || course.chosen !== null) return;
    state.course = { ...course, chosen: index };
    learned.answered(name, index === question.right);
    const { move } = question;
    if (move && question.ask !== "promote" && game.atEnd) {
      game.future([{ uci: move.uci, san: move.san, counted: null, fen: canonical(move.fen) }]);
      game.go(1);
    }
    app.show(false);
  }

  return { chapter, answerQuestion: answer };
};
