// The line that shows what a move is worth, in words: what follows, and the count after each of its moves.

import { $, el, write } from "./dom.js";
import { spoken } from "./notation.js";
import { sideWord, t } from "./words.js";

/** A move of a game with its number, such as `1… Kd4`. */
function nameOf({ start, moves }, index) {
  const [, turn, , , , full] = start.split(" ");
  const ply = index + (turn === "w" ? 0 : 1);
  return `${(Number(full) || 1) + Math.floor(ply / 2)}${ply % 2 ? "…" : "."} ${spoken(moves[index].san)}`;
}

export class Consequence {
  constructor() {
    this.what = el("b");
    this.step = el("span");
    $("consequence").replaceChildren(this.what, " ", this.step);
  }

  /** Shows the words of the move on the board, if it is one of the line. */
  show({ why, game }) {
    const at = why?.game === game ? game.place - why.start - 1 : -1;
    const step = why?.line[at];
    const shown = Boolean(step) && game.last?.uci === step.uci;
    $("consequence").hidden = !shown;
    if (!shown) return;
    const [move] = why.line;
    const late = why.line.find(({ left, needed }) => left !== null && needed > left);
    const winner = step.winner ?? late?.winner ?? move.winner;
    const side = winner && sideWord(winner);
    write(this.what, t(`follows-${why.follows}`, { move: nameOf(game, why.start), side, needed: late?.needed, left: late?.left }));
    const key = step.winner === null ? "stepDrawn" : step.left === null ? "stepFree" : "step";
    write(this.step, t(key, { move: nameOf(game, game.place - 1), side, needed: step.needed, left: step.left }));
  }
}
