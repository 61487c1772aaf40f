// FENs and squares. Squares are numbers: 0 is a1, 7 is h1, 63 is h8. Men are letters as in a makruk
// FEN: upper case for White. The letters that are shown are those of the rule set.

const TO_ASEAN = { S: "B", M: "Q", s: "b", m: "q" };
const FROM_ASEAN = { B: "S", Q: "M", b: "s", q: "m" };

/** Which letters a rule set's FENs are written in. */
export const letteringOf = (rules) => (rules === "asean" ? "asean" : "makruk");

/** A man's letter in a lettering. */
export const letter = (man, lettering) => (lettering === "asean" ? TO_ASEAN[man] ?? man : man);

export const square = (file, rank) => rank * 8 + file;
export const nameOf = (sq) => "abcdefgh"[sq & 7] + ((sq >> 3) + 1);
export const squareOf = (name) => square("abcdefgh".indexOf(name[0]), Number(name[1]) - 1);

export const isWhite = (man) => man === man.toUpperCase();
export const swapCase = (man) => (isWhite(man) ? man.toLowerCase() : man.toUpperCase());

/** The position of a fresh board. */
export const empty = () => ({ board: new Array(64).fill(null), turn: "w", limit: null, counted: 0, clock: 0, fullmove: 1 });

/**
 * Reads a FEN in either lettering: B and Q are ASEAN's, S and M makruk's, so what is meant is
 * always plain. Returns null for what is no FEN; whether the position is legal, the server says.
 */
export function parse(text) {
  const fields = text.trim().replaceAll("_", " ").split(/\s+/);
  const ranks = fields[0].split("/");
  if (ranks.length !== 8) return null;
  const position = empty();
  for (const [i, rank] of ranks.entries()) {
    let file = 0;
    for (const character of rank) {
      if (character === "~") continue;
      if (/[1-8]/.test(character)) {
        file += Number(character);
        continue;
      }
      const man = FROM_ASEAN[character] ?? character;
      if (!/[KRNSMkrnsm]/.test(man) || file > 7) return null;
      position.board[square(file, 7 - i)] = man;
      file += 1;
    }
    if (file !== 8) return null;
  }
  const [, turn = "w", , limit = "-", counted = "0", fullmove = "1"] = fields;
  if (!/^[wb]$/.test(turn) || !/^(-|\d{1,6})$/.test(limit) || !/^\d{1,6}$/.test(counted) || !/^\d{1,6}$/.test(fullmove)) {
    return null;
  }
  position.turn = turn;
  position.limit = limit === "-" || Number(limit) === 0 ? null : Number(limit);
  if (position.limit === null) position.clock = limit === "0" ? 0 : Number(counted);
  else position.counted = Number(counted);
  position.fullmove = Number(fullmove) || 1;
  return position;
}

/** The FEN of a position. */
export function format(position, lettering = "makruk") {
  const ranks = [];
  for (let rank = 7; rank >= 0; rank -= 1) {
    let text = "";
    let gap = 0;
    for (let file = 0; file < 8; file += 1) {
      const man = position.board[square(file, rank)];
      if (man === null) {
        gap += 1;
        continue;
      }
      if (gap) text += gap;
      gap = 0;
      text += letter(man, lettering);
    }
    ranks.push(gap ? text + gap : text);
  }
  const { turn, limit, counted, clock, fullmove } = position;
  return `${ranks.join("/")} ${turn} - ${limit ?? "-"} ${limit === null ? clock : counted} ${fullmove}`;
}

/** The same position without its count. */
export const uncounted = (position) => ({ ...position, limit: null, counted: 0, clock: 0 });

/** The men moved by a function of squares; what leaves the board is gone. */
export function mapped(position, where, who = (man) => man) {
  const board = new Array(64).fill(null);
  position.board.forEach((man, sq) => {
    const to = man === null ? null : where(sq);
    if (to !== null) board[to] = who(man);
  });
  return { ...position, board };
}

/** Left and right change places. */
export const mirrored = (position) => mapped(position, (sq) => sq ^ 7);

/** White and Black change places, with the side to move. */
export const swapped = (position) => ({
  ...mapped(position, (sq) => sq ^ 56, swapCase),
  turn: position.turn === "w" ? "b" : "w",
});

/** All men a step further; null if one would leave the board. */
export function shifted(position, files, ranks) {
  const outside = (sq) => {
    const file = (sq & 7) + files;
    const rank = (sq >> 3) + ranks;
    return file < 0 || file > 7 || rank < 0 || rank > 7;
  };
  if (position.board.some((man, sq) => man !== null && outside(sq))) return null;
  return mapped(position, (sq) => sq + files + 8 * ranks);
}

/** The position after a move that is known to be legal, without its count. */
export function moved(position, uci) {
  const [from, to] = [squareOf(uci.slice(0, 2)), squareOf(uci.slice(2, 4))];
  const board = [...position.board];
  board[to] = board[from];
  board[from] = null;
  return { ...position, board, turn: position.turn === "w" ? "b" : "w" };
}
