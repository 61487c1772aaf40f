// The moves played: where the game began, what was played, and which position is shown.

export class Game {
  constructor(fen) {
    this.start = fen;
    this.moves = [];
    this.place = 0;
    /** How the last move ends the game, and with which result, if that is known. */
    this.end = null;
    this.result = null;
  }

  /** The FEN that is shown. */
  get fen() {
    return this.place === 0 ? this.start : this.moves[this.place - 1].fen;
  }

  /** The move that led here. */
  get last() {
    return this.place === 0 ? null : this.moves[this.place - 1];
  }

  get atEnd() {
    return this.place === this.moves.length;
  }

  /** True if this move would take those after it away. */
  replaces(move) {
    return !this.atEnd && this.moves[this.place].uci !== move.uci;
  }

  /** Plays a move; the one that was there already only goes a step further. */
  play(move) {
    if (this.moves[this.place]?.uci !== move.uci) this.future([move]);
    this.place += 1;
  }

  /** The moves after the position shown, and what they end with. */
  future(moves, end = null, result = null) {
    this.moves = [...this.moves.slice(0, this.place), ...moves];
    this.end = end;
    this.result = result;
  }

  /** Goes to a place; false if there is none. */
  go(place) {
    if (place < 0 || place > this.moves.length || place === this.place) return false;
    this.place = place;
    return true;
  }

  /** The FEN shown is written otherwise. */
  rename(fen) {
    if (this.place === 0) this.start = fen;
    else this.moves[this.place - 1] = { ...this.moves[this.place - 1], fen };
  }

  /** The FEN shown becomes another, for instance with another number said. */
  amend(fen) {
    this.rename(fen);
    this.future([]);
  }

  save() {
    const { start, moves, place, end, result } = this;
    return { start, moves: [...moves], place, end, result };
  }

  /** A game that was saved; null for anything else. */
  static restore(saved) {
    const { start, moves, place, end = null, result = null } = saved ?? {};
    const right = typeof start === "string" && Array.isArray(moves) && moves.every((move) => typeof move?.fen === "string")
      && Number.isInteger(place) && place >= 0 && place <= moves.length;
    return right ? Object.assign(new Game(start), { moves: [...moves], place, end, result }) : null;
  }
}

/** The moves as text: numbers, moves, and the counts said. `each` makes something of each move. */
export function numbered(start, moves, each) {
  const fields = start.split(" ");
  let turn = fields[1];
  let fullmove = Number(fields[5]) || 1;
  return moves.map((move, i) => {
    const head = turn === "w" ? `${fullmove}.` : i === 0 ? `${fullmove}…` : "";
    const made = each(move, head, i);
    if (turn === "b") fullmove += 1;
    turn = turn === "w" ? "b" : "w";
    return made;
  });
}

const VARIANTS = { makruk: "Makruk", asean: "ASEAN", ouk: "Cambodian" };

/** The moves from a FEN on as a PGN. */
export function pgn(start, moves, rules, result) {
  const tags = [
    ["Event", "sakmak"], ["Site", "?"], ["Date", "????.??.??"], ["Round", "-"], ["White", "?"], ["Black", "?"],
    ["Result", result], ["Variant", VARIANTS[rules]], ["SetUp", "1"], ["FEN", start],
  ];
  const words = [];
  let commented = true;
  numbered(start, moves, (move, head) => {
    const black = head === "" || head.endsWith("…");
    if (!black) words.push(head);
    else if (commented) words.push(`${Number(head.slice(0, -1)) || numberBefore(words)}...`);
    words.push(move.san);
    commented = move.counted !== null && move.counted !== undefined;
    if (commented) words.push(`{${move.counted}}`);
  });
  words.push(result);
  const lines = [""];
  for (const word of words) {
    const line = lines[lines.length - 1];
    if (line && line.length + 1 + word.length > 80) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return `${tags.map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${lines.join("\n")}\n`;
}

const numberBefore = (words) => words.findLast((word) => /^\d+\.+$/.test(word))?.replace(/\.+$/, "") ?? "1";
