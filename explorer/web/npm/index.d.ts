/** The rule sets. */
export type Rules = "makruk" | "asean" | "ouk";

/** The value of a position for the side to move, or of a move for the side that makes it. */
export type Category = "win" | "cursed-win" | "draw" | "blessed-loss" | "loss";

/** Options of a question. */
export interface Options {
  /** The rule set; makruk by default. */
  rules?: Rules;
  /** The number of moves that the running count has reached, if the FEN does not contain it. */
  count?: number;
  /** The limit of the running count. Needs `count`. */
  limit?: number;
}

/** A count, and the moves that it leaves the winner. */
export interface Count {
  kind: "pieces-honor" | "boards-honor" | "fifty-moves";
  /** In moves, like the numbers below. */
  limit: number;
  counted: number;
  started: boolean;
  moves_available: number;
  [more: string]: unknown;
}

/** A move with its value. */
export interface Move {
  uci: string;
  san: string;
  /** The side that makes the move. */
  for: "white" | "black";
  category: Category;
  /** The greatest possible category, if a distance is needed to decide. */
  at_most?: Category;
  /** Moves to mate, ignoring the count. */
  dtm: number | null;
  /** Moves to honor, if both sides have men. */
  dth: number | null;
  capture: boolean;
  checkmate: boolean;
  /** The count that begins if the move captures or promotes the last bia. */
  count?: Count;
  [more: string]: unknown;
}

/** The document that `sakmak probe --json` prints: the `Probe` of the HTTP API. */
export interface Answer {
  fen: string;
  rules: Rules;
  side_to_move: "white" | "black";
  category: Category;
  /** The greatest possible category, if a distance is needed to decide. */
  at_most?: Category;
  /** The ending whose distance table is missing, if the answer has no distances. */
  missing_distances?: string;
  dtm: number | null;
  dth: number | null;
  unit: "moves";
  checkmate: boolean;
  stalemate: boolean;
  insufficient_material: boolean;
  count: Count | null;
  /** All legal moves, best first. */
  moves: Move[];
  [more: string]: unknown;
}

/** A directory of tables. Questions to it are answered one at a time. */
export interface Tables {
  /** The endings of which the directory has tables, such as `KSMvK`. */
  readonly materials: string[];
  /** The value of a position, and its moves ranked. */
  probe(fen: string, options?: Options): Promise<Answer>;
  /** Best play by both sides to the end of the game, as `sakmak line --json` prints it. */
  line(fen: string, options?: Options): Promise<Record<string, unknown>>;
  /** Any question of the HTTP API that needs only distance tables, such as `/v1/explore`; returns the text of the
   * answer. */
  ask(path: string, query: Record<string, string | number | boolean | undefined>, body?: string): Promise<string>;
}

/** A question that has no answer, for instance because its FEN is malformed or a table is missing. */
export class SakmakError extends Error {
  /** The status that the HTTP API would give: 400, 404 or 500. */
  readonly status: number;
  /** The kind of error, such as `missing-table`. */
  readonly kind: string;
}

/**
 * Opens a directory of tables with its `manifest.json`, or a running `sakmak serve`: by its address or, under Node, by
 * its path. Only the manifest is read at first; blocks of tables are fetched when a question needs them.
 */
export function open(
  where: string | URL,
  options?: {
    /** The bytes of `sakmak.wasm`, if they cannot be fetched from the directory of this module. */
    wasm?: BufferSource;
  },
): Promise<Tables>;
