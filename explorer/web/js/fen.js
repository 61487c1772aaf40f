// FENs and squares. Squares are numbers: 0 is a1, 7 is h1, 63 is h8. Inside, men are the letters of a makruk FEN, upper
// case for White; the letters displayed are those of the rule set.

const TO_ASEAN = { S: "B", M: "Q", s: "b", m: "q" };
const FROM_ASEAN = { B: "S", Q: "M", b: "s", q: "m" };

export const RULES = ["makruk", "asean", "ouk"];

/** The letters of a rule set's FENs. */
export const letteringOf = (rules) => (rules === "asean" ? "asean" : "makruk");

/** The letter of a man in a lettering. */
export const letter = (man, lettering) => (lettering === "asean" ? TO_ASEAN[man] ?? man : man);

export const square = (file, rank) => rank * 8 + file;
export const nameOf = (sq) => "abcdefgh"[sq & 7] + ((sq >> 3) + 1);
export const squareOf = (name) => square("abcdefgh".indexOf(name[0]), Number(name[1]) - 1);

export const isWhite = (man) => man === man.toUpperCase();
export const swapCase = (man) => (isWhite(man) ? man.toLowerCase() : man.toUpperCase());

/** The positions in which the games of each rule set begin. Ouk's kings and mets may leap. */
export const BEGINNINGS = {
  makruk: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
  asean: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSMKSNR w - - 0 1",
  ouk: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1",
};

/** An empty board with White to move. */
export const empty = () => ({ board: new Array(64).fill(null), turn: "w", leaps: "-", limit: null, counted: 0, clock: 0, fullmove: 1 });

/** Parses the men of one rank; null if the text does not describe a rank in the letters that are read. */
function parseRank(text, letters) {
  const men = [];
  let promoted = false;
  for (const character of text) {
    const man = letters[character] ?? character;
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

/** The letters of a FEN that its rule set does not have: under makruk and ouk, B and Q may be those of two other games. */
export const unclearLetters = (text, rules) => (letteringOf(rules) === "asean" ? [] : [...new Set(text.trim().split(/\s+/)[0].match(/[BQ]/gi) ?? [])]);

/** The starting squares of ouk's kings and mets, by their letters in the third field of a FEN. */
const HOMES = { D: ["K", square(3, 0)], E: ["M", square(4, 0)], d: ["m", square(3, 7)], e: ["k", square(4, 7)] };

/** The men listed in the third field that may still leap. Castling rights of other programs are ignored. */
const leaping = (letters, board) => Object.keys(HOMES).filter((name) => letters.includes(name) && board[HOMES[name][1]] === HOMES[name][0]).join("") || "-";

const isCounter = (text) => /^\d{1,6}$/.test(text);

/**
 * Reads a FEN in ASEAN's letters, or with `lettering` "makruk" in makruk's alone. S and M are the same men everywhere, but
 * B and Q may be those of western chess. Every FEN that the tables read can be drawn without asking them. Returns null for a
 * text that cannot be drawn. Only the tables know whether the position is legal, and the reason if it is not.
 */
export function parse(text, lettering = "asean") {
  const [men, turn, ...fields] = text.trim().replaceAll("_", " ").split(/\s+/);
  const letters = lettering === "asean" ? FROM_ASEAN : {};
  const ranks = men.split("/").map((rank) => parseRank(rank, letters));
  if (ranks.length !== 8 || ranks.includes(null) || !/^[wb]$/.test(turn)) return null;
  // Other programs omit the third and the fourth field.
  if (fields.length && isCounter(fields[0])) fields.unshift("-", "-");
  const [leaps = "-", limit = "-", counted = "0", fullmove = "1"] = fields;
  if (fields.length > 4 || !/^(-|[KQA-H]+)$/i.test(leaps) || !(limit === "-" || isCounter(limit)) || !isCounter(counted) || !isCounter(fullmove)) return null;
  // A limit without the number reached is refused.
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

/** A FEN converted to the letters of the rule set; unchanged if it cannot be parsed. */
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

/** Moves each man to the square that a function returns, and removes men that leave the board. */
export function mapped(position, where, who = (man) => man) {
  const board = new Array(64).fill(null);
  position.board.forEach((man, sq) => {
    const to = man === null ? null : where(sq);
    if (to !== null) board[to] = who(man);
  });
  return { ...position, board };
}

/** The position with left and right exchanged. */
export const mirrored = (position) => mapped(position, (sq) => sq ^ 7);

/** The position with White and Black exchanged; the side to move is exchanged too. */
export const swapped = (position) => ({
  ...mapped(position, (sq) => sq ^ 56, swapCase),
  turn: position.turn === "w" ? "b" : "w",
});

/** Shifts all men; null if one of them would leave the board. */
export function shifted(position, files, ranks) {
  const outside = (sq) => {
    const file = (sq & 7) + files;
    const rank = (sq >> 3) + ranks;
    return file < 0 || file > 7 || rank < 0 || rank > 7;
  };
  if (position.board.some((man, sq) => man !== null && outside(sq))) return null;
  return mapped(position, (sq) => sq + files + 8 * ranks);
}
