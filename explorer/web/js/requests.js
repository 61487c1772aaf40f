// Requests: the questions about the position on the board, and the arrival of their answers.

import { canonical, beyond, endings, fen, figures, isAsking, isUntabled, keyOf, others, position, state, tables, untabled } from "./state.js";
import { spoken } from "./notation.js";
import { hasBia } from "./reading.js";
import { beyondSentence } from "./verdict.js";
import { t } from "./words.js";

/** Refusals of a position that is legal but that no table here has. */
const UNTABLED = ["not-in-tables", "missing-table", "file"];

/** `app` has the `page`, the `training`, and the functions of the other parts. */
export const requests = (app) => {
  const all = [tables, figures, endings, others, beyond];
  for (const asked of [figures, others]) asked.changed = () => app.render();
  tables.changed = arrived;
  beyond.changed = movesArrived;
  endings.changed = () => {
    askMoves();
    app.render();
  };

  /** Asks about the position on the board, and drops the answers about other positions. */
  function ask() {
    state.preview = undefined;
    tables.ask(keyOf(), { fen: fen(), rules: state.rules, drawn: position() !== null });
    askMoves();
  }

  /** Asks for the legal moves if no table has the position. */
  function askMoves() {
    const refused = tables.status === "refused" && UNTABLED.includes(tables.refused.kind);
    if (refused || (isUntabled() && tables.status !== "answered")) beyond.ask(keyOf(), { fen: fen(), rules: state.rules });
  }

  const moveSaid = () => (state.game.last ? `${t("played", { move: spoken(state.game.last.san) })} ` : "");

  /** Called when an answer or a refusal has arrived. */
  function arrived() {
    const { page, training } = app;
    const doc = tables.answer;
    if (doc) {
      adopt(doc.answer.fen);
      page.announce(moveSaid(), training.trainer.hides || isAsking() ? null : doc);
    }
    askMoves();
    training.trainer.consider();
    if (training.task) app.keep();
    else if (tables.refused && state.rules !== "makruk" && hasBia(fen())) others.ask(tables.key, { fen: fen(), rules: "makruk", drawn: true });
    app.render();
    if (doc) queueMicrotask(() => askFigures(doc));
  }

  function movesArrived() {
    const doc = untabled();
    if (doc && !isAsking()) app.page.announce(`${moveSaid()}${beyondSentence(doc, position())}`, null);
    app.render();
  }

  /** Fetches the statistics of the ending once the verdict has arrived, which matters more. */
  function askFigures(doc) {
    const { material } = doc.ending;
    if (tables.answer !== doc || (figures.key === material && figures.status !== "refused")) return;
    figures.ask(material, material);
    app.render();
  }

  /** Replaces the FEN of the position with the tables' form of it. */
  function adopt(text) {
    if (text === fen()) return;
    state.game.rename(canonical(text));
    tables.key = `${state.rules} ${text}`;
    app.keep();
  }

  /** Makes every waiting question try again at once. */
  function hurry() {
    for (const asked of all) asked.hurry();
  }

  return { ask, hurry };
};
