// What the browser keeps: settings, the addresses of positions, and what was done last.

import { parse, RULES } from "./fen.js";
import { Game } from "./game.js";

/** What is remembered on this machine; nothing if the browser does not want to. */
export const settings = {
  get(key) {
    try { return localStorage.getItem(`sakmak-${key}`); } catch { return null; }
  },
  set(key, value) {
    try { localStorage.setItem(`sakmak-${key}`, value); } catch { /* It is a convenience. */ }
  },
};

/** A browser takes no more pages than some hundred in so many seconds: what comes sooner is one with the last. */
const APART = 400;
/** A longer text is no position, and no address either. */
const LONGEST = 400;
let last = -Infinity;

/** Gives the position shown an address: as a page of its own, or in place of the one before. */
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
 * What the address says: `fen`, null if there is none, `rules`, null if there are none of that name,
 * and the game that was played there.
 */
export function recalled() {
  const query = new URLSearchParams(location.search);
  const name = (query.get("rules") ?? "makruk").toLowerCase();
  const rules = name === "cambodian" ? "ouk" : RULES.includes(name) ? name : null;
  const fen = query.get("fen")?.replaceAll("_", " ").trim() || null;
  const game = Game.restore(history.state);
  // What was saved by another page at this address is none of ours.
  const ours = game && history.state.rules === rules && sameMen(game.fen, fen ?? game.fen);
  return { fen, rules, game: ours ? game : null };
}

function sameMen(a, b) {
  const [one, other] = [parse(a), parse(b)];
  if (!one || !other) return a === b;
  return one.turn === other.turn && one.limit === other.limit && one.counted === other.counted && one.board.every((man, sq) => man === other.board[sq]);
}

/** What was there before the last changes that took something away. */
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

  /** The last of them, which is then no longer kept. */
  take() {
    const { game, rules } = this.steps.pop();
    return { game: Game.restore(game), rules };
  }
}
