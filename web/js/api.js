// Asking the tables: over HTTP, or, where the page is served as plain files, through the reader in
// WebAssembly, which takes the same paths.

const reader = document.querySelector('meta[name="sakmak-reader"]');
const read = reader ? import(new URL(reader.content, document.baseURI)) : null;

/** What was refused, with the sentence that says why. */
export class Refused extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

async function ask(path, parameters, signal, body) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined));
  // A FEN is easier to read with its slashes, and with _ for blanks.
  const text = query.toString().replaceAll("%2F", "/");
  if (read) return (await read).ask(path, text, signal, body);
  const method = body === undefined ? "GET" : "POST";
  const response = await fetch(`.${path}${text ? `?${text}` : ""}`, { signal, method, body });
  return { status: response.status, text: await response.text() };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused("offline", text.slice(0, 200));
  }
}

function refuse(status, text) {
  if (status < 400) return;
  const { error } = parsed(text);
  throw new Refused(error?.kind ?? "offline", error?.message ?? "");
}

async function document_(path, parameters, signal) {
  const { status, text } = await ask(path, parameters, signal);
  refuse(status, text);
  return parsed(text);
}

const underscored = (fen) => fen.replaceAll(" ", "_");

/** All that there is to show of a position. */
export const explore = (fen, rules, signal) => document_("/v1/explore", { fen: underscored(fen), rules }, signal);
/** Best play by both sides to the end. */
export const line = (fen, rules) => document_("/v1/line", { fen: underscored(fen), rules });
/** The endings there are. */
export const endings = () => document_("/v1/endings", {});
/** The figures of an ending. */
export const ending = (material) => document_(`/v1/endings/${material}`, {});
/** A position of an ending by chance. */
export const random = (ending, rules, category, turn) => document_("/v1/random", {
  ending,
  rules,
  category: category || null,
  turn: turn || null,
  seed: Math.floor(Math.random() * 2 ** 48),
});
/** The games of a file as documents. */
export async function annotate(file) {
  const { status, text } = await ask("/v1/annotate", { format: "json" }, undefined, file);
  refuse(status, text);
  return text.split("\n").filter(Boolean).map(parsed);
}
/** The games of a file as a PGN with comments. */
export async function annotated(file) {
  const { status, text } = await ask("/v1/annotate", { format: "pgn" }, undefined, file);
  refuse(status, text);
  return text;
}
