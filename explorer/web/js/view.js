// The view: everything from which the page is drawn. An answer is in it only with the position that it is about.

import { endingOf, format, letteringOf } from "./fen.js";
import { problemWords } from "./problem.js";
import { beyond, endings, fen, figures, isAsking, options, others, position, state, tables, undo, untabled, withNumber } from "./state.js";

/** The view: all data from which the page is drawn. */
export function view({ modes, lines, training }) {
  const shown = position();
  const text = fen();
  const exact = tables.status === "answered";
  const known = !exact && tables.status === "pending" && state.known?.fen === text ? state.known : null;
  const doc = exact ? tables.answer : known?.doc ?? null;
  const n = state.preview !== undefined && doc?.numbers ? state.preview : known?.n;
  const refused = tables.status === "refused" ? tables.refused : null;
  const untold = untabled();
  const problem = refused ? problemWords(refused, text, state.rules) : "";
  const ending = shown && endingOf(shown);
  return {
    ...state,
    state: modes.state,
    mode: modes.mode,
    key: tables.key,
    position: shown,
    fen: state.preview === undefined || !doc?.numbers ? text : format(withNumber(doc, state.preview), letteringOf(state.rules)),
    turn: shown?.turn,
    doc,
    n,
    exact: exact && state.preview === undefined,
    refused,
    problem: state.from === "fen" && !untold ? "" : problem,
    fenProblem: state.from === "fen" && !untold ? problem : "",
    beyond: untold,
    legal: options()?.map((move) => move.uci) ?? [],
    ending: ending?.material ?? null,
    swapped: ending?.swapped ?? false,
    figures: !refused && ending && figures.key === ending.material ? figures.answer : null,
    endings: endings.answer ?? [],
    others: refused && others.key === tables.key ? others.answer?.rule_sets ?? null : null,
    playing: lines.playing,
    task: training.task,
    hiding: training.trainer.hides,
    asking: isAsking(),
    solved: training.solved,
    progress: training.progress,
    mayMove: training.trainer.mayMove(shown?.turn) && !isAsking(),
    undoable: undo.any,
    busy: !(tables.settled && figures.settled && endings.settled && others.settled && beyond.settled) || lines.fetching !== null || state.searching !== null,
  };
}
