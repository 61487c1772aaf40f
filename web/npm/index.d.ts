/** The rule sets. */
export type Rules = "makruk" | "asean" | "ouk";

/** The value of a position for the player to move, or of a move for the player who makes it. */
export type Category = "win" | "cursed-win" | "draw" | "blessed-loss" | "loss";

/** How a question is asked. */
export interface Options {
  /** The rule set: makruk unless given. */
  rules?: Rules;
  /** The moves that the running count has said so far, where the FEN does not have it. */
  count?: number;
  /** The count's limit, with `count`. */
  limit?: number;
}

/** A move, ranked. */
export interface Move {
  uci: string;
  san: string;
  category: Category;
  /** Moves to mate, without regard to a count. */
  dtm: number | null;
  /** Moves to honor, where both sides have men. */
  dth: number | null;
  capture: boolean;
  checkmate: boolean;
  [more: string]: unknown;
}

/** What `sakmak probe --json` prints: the `Probe` of the HTTP API. */
export interface Answer {
  fen: string;
  rules: Rules;
  side_to_move: "white" | "black";
  category: Category;
  dtm: number | null;
  dth: number | null;
  checkmate: boolean;
  stalemate: boolean;
  insufficient_material: boolean;
  /** The best first. */
  moves: Move[];
  [more: string]: unknown;
}

/** A directory of tables. Questions are answered one after the other. */
export interface Tables {
  /** The endings that there are tables of: `KSMvK`. */
  readonly materials: string[];
  /** A position, and its moves ranked. */
  probe(fen: string, options?: Options): Promise<Answer>;
  /** Best play by both sides to the end, as `sakmak line --json` prints it. */
  line(fen: string, options?: Options): Promise<Record<string, unknown>>;
  /** Any question of the HTTP API that needs distance tables alone, such as `/v1/explore`: the text of its answer. */
  ask(path: string, query: Record<string, string | number | boolean | undefined>, body?: string): Promise<string>;
}

/** A question that has no answer: a FEN that cannot be read, a table that is not there. */
export class SakmakError extends Error {
  /** As HTTP has it: 400, 404, 500. */
  readonly status: number;
  /** Such as `missing-table`. */
  readonly kind: string;
}

/**
 * Opens a directory of tables with its `manifest.json`, or a `sakmak serve`: by its address, or under Node by its
 * path. Only the manifest is read; blocks of tables follow when a question needs them.
 */
export function open(
  where: string | URL,
  options?: {
    /** The bytes of `sakmak.wasm`, where they cannot be fetched from beside this module. */
    wasm?: BufferSource;
  },
): Promise<Tables>;
