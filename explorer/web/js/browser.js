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
};

/**
 * The time in which a new history entry replaces the last one: browsers refuse more than about a hundred in a few
 * seconds.
 */
const APART = 400;
/** The largest length of a text that can be a position or an address. */
const LONGEST = 400;
let last = -Infinity;

/** Puts the position into the page's address, as a new entry of the browser's history or in place of the last entry. */
export function remember(game, fen, rules, own) {
  const text = encodeURIComponent(fen.replaceAll(" ", "_")).replaceAll("%2F", "/");
  const query = fen.length > LONGEST ? location.search : `?fen=${text}&rules=${rules}`;
  const now = performance.now();
  const push = own && location.search !== new URL(query || "?", location.href).search && now - last > APART;
  try {
    history[push ? "pushState" : "replaceState"]({ ...game.save(), rules }, "", query);
    if (push) last = now;
  } catch { /* The page works without. */ }
}

/**
 * The position that the address names: `fen`, null if there is none; `rules`, null if no rule set has that name;
 * and the game that was played there.
 */
export function recalled() {
  const query = new URLSearchParams(location.search);
  const name = (query.get("rules") ?? "makruk").toLowerCase();
  const rules = name === "cambodian" ? "ouk" : RULES.includes(name) ? name : null;
  const fen = query.get("fen")?.replaceAll("_", " ").trim() || null;
  const game = Game.restore(history.state);
  // State saved by another page at this address is ignored.
  const ours = game && history.state.rules === rules && sameMen(game.fen, fen ?? game.fen);
  return { fen, rules, game: ours ? game : null };
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
