// A game: its starting position, its moves, and the position shown.

/** The largest number of variations that are kept. */
const MOST_VARIATIONS = 30;

export class Game {
  constructor(fen) {
    this.start = fen;
    this.moves = [];
    this.place = 0;
    /** The end of the game after its last move, and the result, if they are known. */
    this.end = null;
    this.result = null;
    /** Variations: moves that were replaced by others, each list with the index at which it begins. */
    this.variations = [];
  }

  /** The FEN of the position shown. */
  get fen() {
    return this.place === 0 ? this.start : this.moves[this.place - 1].fen;
  }

  /** The move that led to the position shown. */
  get last() {
    return this.place === 0 ? null : this.moves[this.place - 1];
  }

  get atEnd() {
    return this.place === this.moves.length;
  }

  /** True if this move would replace the moves after the position shown. */
  replaces(move) {
    return !this.atEnd && this.moves[this.place].uci !== move.uci;
  }

  /** Plays a move. If the move is already the next one, or begins a variation, only steps to it. */
  play(move) {
    const { place } = this;
    const known = this.variations.findIndex((one) => one.place === place && one.moves[0].uci === move.uci);
    if (known >= 0) {
      this.swap(known);
      return;
    }
    if (this.moves[place]?.uci !== move.uci) this.future([move]);
    this.place += 1;
  }

  /** Exchanges a variation with the moves that replaced it, and shows its first move. */
  swap(index) {
    const { place, moves } = this.variations[index];
    const others = this.variations.filter((one, i) => i !== index && one.place <= place);
    const rest = this.moves.slice(place);
    this.variations = rest.length ? [...others, { place, moves: rest }] : others;
    this.moves = [...this.moves.slice(0, place), ...moves];
    this.place = place + 1;
    this.end = null;
    this.result = null;
  }

  /** Sets the moves after the position shown, and the end of the game after them. */
  future(moves, end = null, result = null) {
    const { place } = this;
    const rest = this.moves.slice(place);
    // Replaced moves are kept as a variation, unless the new ones merely stop earlier or go on longer.
    const others = this.variations.filter((one) => one.place <= place);
    const goes = rest.length > 0 && moves.length > 0 && rest[0].uci !== moves[0].uci;
    this.variations = goes ? [...others, { place, moves: rest }].slice(-MOST_VARIATIONS) : others;
    this.moves = [...this.moves.slice(0, this.place), ...moves];
    this.end = end;
    this.result = result;
  }

  /** Goes to a position by its index; false if there is none. */
  go(place) {
    if (place < 0 || place > this.moves.length || place === this.place) return false;
    this.place = place;
    return true;
  }

  /** Replaces the FEN of the position shown with another FEN of the same position. */
  rename(fen) {
    if (this.place === 0) this.start = fen;
    else this.moves[this.place - 1] = { ...this.moves[this.place - 1], fen };
  }

  /** Replaces the position shown with a similar one, for instance with another number of the count. */
  amend(fen) {
    this.rename(fen);
    this.future([]);
  }

  save() {
    const { start, moves, place, end, result, variations } = this;
    return { start, moves: [...moves], place, end, result, variations: [...variations] };
  }

  /** Restores a saved game; null if the value is not a saved game. */
  static restore(saved) {
    const { start, moves, place, end = null, result = null, variations = [] } = saved ?? {};
    const are = (list) => Array.isArray(list) && list.every((move) => typeof move?.fen === "string");
    const right = typeof start === "string" && are(moves) && Number.isInteger(place) && place >= 0 && place <= moves.length
      && Array.isArray(variations) && variations.every((one) => are(one?.moves) && one.moves.length > 0 && one.place <= moves.length);
    return right ? Object.assign(new Game(start), { moves: [...moves], place, end, result, variations: [...variations] }) : null;
  }
}

/** The moves as text, with move numbers and the numbers said in the count. `each` converts a move to text. */
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

/** The moves after a FEN as a PGN, with their variations. */
export function pgn(start, moves, rules, result, variations = []) {
  const tags = [
    ["Event", "sakmak"], ["Site", "?"], ["Date", "????.??.??"], ["Round", "-"], ["White", "?"], ["Black", "?"],
    ["Result", result], ["Variant", VARIANTS[rules]], ["SetUp", "1"], ["FEN", start],
  ];
  const words = [...movetext(start, moves, 0, variations), result];
  const lines = [""];
  for (const word of words) {
    const line = lines[lines.length - 1];
    if (line && line.length + 1 + word.length > 80) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return `${tags.map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${lines.join("\n")}\n`;
}

/** The moves from an index on as movetext; a move of Black after a comment has its number. */
function movetext(start, moves, from, variations) {
  const [, turn, , , , full] = start.split(" ");
  const words = [];
  let commented = true;
  moves.forEach((move, i) => {
    const ply = from + i + (turn === "w" ? 0 : 1);
    const number = (Number(full) || 1) + Math.floor(ply / 2);
    if (ply % 2 === 0) words.push(`${number}.`);
    else if (commented) words.push(`${number}...`);
    words.push(move.san);
    commented = move.counted !== null && move.counted !== undefined;
    if (commented) words.push(`{${move.counted}}`);
    for (const { place, moves: others } of variations.filter((one) => one.place === from + i)) {
      const text = movetext(start, others, place, []);
      words.push(`(${text[0]}`, ...text.slice(1, -1), `${text.at(-1)})`);
      commented = true;
    }
  });
  return words;
}
