// The modes of the page as one state machine, drawn in docs/play/modes.svg. A passage ends everything that belongs to the
// state before it. `tools/explorer/modes.js` walks every passage, and compares this table with the drawing.

/** The modes, as the user chooses them. */
export const MODES = ["explore", "setup", "practice", "puzzles", "games", "lesson"];

/** The modes in which the user plays against the tables. In these the game and its end are states of their own. */
const PLAYED = ["practice", "puzzles"];

/** All states. A state is a mode or, after a hyphen, a stage of it. */
export const STATES = [...MODES, ...PLAYED.flatMap((mode) => [`${mode}-game`, `${mode}-over`])];

export const modeOf = (state) => state.split("-")[0];
/** True during a game against the tables, and after its end until the user leaves it. */
export const hasTask = (state) => state.includes("-");
export const isPlaying = (state) => state.endsWith("-game");

const each = (states, after) => Object.fromEntries(states.map((state) => [state, after(state)]));
/** The state in which another position is shown: the choice of a task if there is one. */
const besides = (leaves) => each(STATES, (state) => (leaves.includes(state) ? "explore" : modeOf(state)));

/**
 * The passages: for each event, the state after it for each state before it. An event without an entry for a state has no
 * effect there. The name of a mode is the event that the user chooses it. The other events are:
 *
 * * `file`: games of a file are opened;
 * * `start`: a game against the tables begins; `finish`: it ends; `retry`: the user goes back to a mistake; `end`: the
 *   user leaves the game;
 * * `open`: another position is opened; `change`: the position shown is edited or replaced by an earlier one.
 */
export const PASSAGES = {
  ...Object.fromEntries(MODES.map((mode) => [mode, each(STATES, () => mode)])),
  file: each(STATES, () => "games"),
  start: each(STATES.filter((state) => PLAYED.includes(modeOf(state)) && state !== "practice-game"), (state) => `${modeOf(state)}-game`),
  finish: each(STATES.filter(isPlaying), (state) => `${modeOf(state)}-over`),
  retry: { "practice-over": "practice-game", "puzzles-game": "puzzles-game" },
  end: each(STATES.filter(hasTask), modeOf),
  open: besides(["games", "lesson"]),
  change: besides(["lesson"]),
};

export class Modes {
  /** `passed(from, to)` is called at each passage. */
  constructor(passed) {
    this.passed = passed;
    this.state = "explore";
  }

  get mode() {
    return modeOf(this.state);
  }

  /** Makes the passage of an event; false if the state has none. */
  pass(event) {
    const to = PASSAGES[event][this.state];
    if (to) this.enter(to);
    return Boolean(to);
  }

  /** Enters a state that the browser's history has kept. */
  enter(state) {
    const from = this.state;
    this.state = state;
    this.passed(from, state);
  }
}
