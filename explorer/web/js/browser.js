// State kept in the browser: settings, addresses of positions, and recent changes.

import { parse, RULES } from "./fen.js";
import { Game } from "./game.js";

/** The settings kept on this machine. None are kept if the browser refuses to store them. */
export const settings = {
  get(key) {
    try { return localStorage.getItem(`sakmak-${key}`); } catch { return null; }
  },
  set(key, value) {
    try { localStorage.setItem(`sakmak-${key}`, value); } catch { /* It is a convenience. */ }
  },
  /** The names of all settings. */
  keys() {
    try { return Object.keys(localStorage).filter((key) => key.startsWith("sakmak-")).map((key) => key.slice("sakmak-".length)); } catch { return []; }
  },
};

/**
 * The time in which a new history entry replaces the last one: browsers refuse more than about a hundred in a few
 * seconds.
 */
const APART = 400;
/** The largest length of a text that can be a position or an address. */
const LONGEST = 400;
let last = -Infinity;

/**
 * Puts the position into the page's address, as a new entry of the browser's history or in place of the last entry. `kept`
 * has the `mode` and `state` of the page, and what it needs to go on in that state.
 */
export function remember(game, fen, rules, kept, own) {
  const text = encodeURIComponent(fen.replaceAll(" ", "_")).replaceAll("%2F", "/");
  const mode = kept.mode === "explore" ? "" : `&mode=${kept.mode}`;
  const query = fen.length > LONGEST ? location.search : `?fen=${text}&rules=${rules}${mode}`;
  const now = performance.now();
  const was = history.state?.kept;
  const other = was?.state !== kept.state || was?.task?.fen !== kept.task?.fen;
  const moved = location.search !== new URL(query || "?", location.href).search;
  // A passage to another mode or another game always has an entry, so that the user can go back from it.
  const push = own && (other || (moved && now - last > APART));
  try {
    history[push ? "pushState" : "replaceState"]({ ...game.save(), rules, kept }, "", query);
    if (push) last = now;
  } catch { /* The page works without. */ }
}

/**
 * The position that the address names: `fen`, null if there is none; `rules`, null if no rule set has that name;
 * `mode`; the game that was played there, and what was `kept` with it.
 */
export function recalled() {
  const query = new URLSearchParams(location.search);
  const name = (query.get("rules") ?? "makruk").toLowerCase();
  const rules = name === "cambodian" ? "ouk" : RULES.includes(name) ? name : null;
  const fen = query.get("fen")?.replaceAll("_", " ").trim() || null;
  const game = Game.restore(history.state);
  // State saved by another page at this address is ignored.
  const ours = game && history.state.rules === rules && sameMen(game.fen, fen ?? game.fen);
  return { fen, rules, mode: query.get("mode"), game: ours ? game : null, kept: ours ? history.state.kept ?? null : null };
}

function sameMen(a, b) {
  const [one, other] = [parse(a), parse(b)];
  if (!one || !other) return a === b;
  return one.turn === other.turn && one.limit === other.limit && one.counted === other.counted && one.board.every((man, sq) => man === other.board[sq]);
}

/** The states of the page before the last changes that removed something. */
export class Undo {
  constructor() {
    this.steps = [];
  }

  get any() {
    return this.steps.length > 0;
  }

  keep(game, rules) {
    this.steps = [...this.steps.slice(-99), { game: game.save(), rules }];
  }

  /** Removes the latest saved state, and returns it. */
  take() {
    const { game, rules } = this.steps.pop();
    return { game: Game.restore(game), rules };
  }
}
