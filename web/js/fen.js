// FENs and squares. Squares are numbers: 0 is a1, 7 is h1, 63 is h8. Men are letters as in a makruk
// FEN: upper case for White. The letters that are shown are those of the rule set.

const TO_ASEAN = { S: "B", M: "Q", s: "b", m: "q" };
const FROM_ASEAN = { B: "S", Q: "M", b: "s", q: "m" };

export const RULES = ["makruk", "asean", "ouk"];

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
export const empty = () => ({ board: new Array(64).fill(null), turn: "w", leaps: "-", limit: null, counted: 0, clock: 0, fullmove: 1 });

/** The men of one rank, or null if it is none. */
function parseRank(text) {
  const men = [];
  let promoted = false;
  for (const character of text) {
    const man = FROM_ASEAN[character] ?? character;
    if (character === "~" && promoted) promoted = false;
    else if (/[1-8]/.test(character)) {
      men.push(...new Array(Number(character)).fill(null));
      promoted = false;
    } else if (/[KRNSMPkrnsmp]/.test(man)) {
      men.push(man);
      promoted = true;
    } else return null;
  }
  return men.length === 8 ? men : null;
}

/** Where the kings and mets of ouk begin, by their letters in the third field of a FEN. */
const HOMES = { D: ["K", square(3, 0)], E: ["M", square(4, 0)], d: ["m", square(3, 7)], e: ["k", square(4, 7)] };

/** The men that may still leap, of those that the third field names. Castling rights of other programs mean nothing. */
const leaping = (letters, board) => Object.keys(HOMES).filter((name) => letters.includes(name) && board[HOMES[name][1]] === HOMES[name][0]).join("") || "-";

const isCounter = (text) => /^\d{1,6}$/.test(text);

/**
 * Reads a FEN in either lettering: B and Q are ASEAN's, S and M makruk's, so what is meant is
 * always plain. Draws every FEN that the tables read, without asking them. Returns null for what cannot be
 * drawn. Only the tables know whether there is such a position, and what is wrong with a text that is none.
 */
export function parse(text) {
  const [men, turn, ...fields] = text.trim().replaceAll("_", " ").split(/\s+/);
  const ranks = men.split("/").map(parseRank);
  if (ranks.length !== 8 || ranks.includes(null) || !/^[wb]$/.test(turn)) return null;
  // Other programs leave out the third and the fourth field.
  if (fields.length && isCounter(fields[0])) fields.unshift("-", "-");
  const [leaps = "-", limit = "-", counted = "0", fullmove = "1"] = fields;
  if (fields.length > 4 || !/^(-|[KQA-H]+)$/i.test(leaps) || !(limit === "-" || isCounter(limit)) || !isCounter(counted) || !isCounter(fullmove)) return null;
  // How far the count has come must be said.
  if (Number(limit) > 0 && fields.length < 3) return null;
  const position = { ...empty(), turn };
  ranks.forEach((row, i) => row.forEach((man, file) => { position.board[square(file, 7 - i)] = man; }));
  position.leaps = leaping(leaps, position.board);
  position.limit = limit === "-" || Number(limit) === 0 ? null : Number(limit);
  if (position.limit === null) position.clock = Number(counted);
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
  const { turn, leaps, limit, counted, clock, fullmove } = position;
  return `${ranks.join("/")} ${turn} ${leaps} ${limit ?? "-"} ${limit === null ? clock : counted} ${fullmove}`;
}

/** A text in the letters of a rule set, if it can be read; otherwise as it is. */
export function inLetters(text, lettering) {
  const position = parse(text);
  return position ? format(position, lettering) : text;
}

/** The name of a position's ending, and whether Black has the men named first; null if no ending has these men. */
export function endingOf(position) {
  const [white, black] = [(man) => man, swapCase].map((side) => position.board
    .filter((man) => man !== null && isWhite(side(man)))
    .map((man) => "KRNSMP".indexOf(man.toUpperCase()))
    .sort((a, b) => a - b));
  const kings = (men) => men.filter((man) => man === 0).length;
  if (kings(white) !== 1 || kings(black) !== 1 || white.length + black.length < 3) return null;
  const different = white.findIndex((man, i) => man !== black[i]);
  const swapped = black.length > white.length || (black.length === white.length && different >= 0 && black[different] < white[different]);
  const name = (men) => men.map((man) => "KRNSMP"[man]).join("");
  const [first, second] = swapped ? [black, white] : [white, black];
  return { material: `${name(first)}v${name(second)}`, swapped };
}

/** The same position without its count. */
export const uncounted = (position) => ({ ...position, leaps: "-", limit: null, counted: 0, clock: 0 });

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
