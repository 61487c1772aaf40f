// The board: an SVG under a grid of squares that takes mouse, touch and keyboard.

import { mark } from "./dom.js";
import { isWhite, nameOf, square, squareOf } from "./fen.js";
import { man, svg, symbols } from "./men.js";
import { squareName } from "./notation.js";
import { sideWord, t } from "./words.js";

const SIDE = 45;

export class Board {
  /**
   * `host` is an empty element. `on` has `play(uci)`, `put(square, man)`, `move(from, to)`,
   * `choose(moves)`, which lets the user choose among promotions, `refused(name)`, and `about(man)`, called when a man is
   * pointed at.
   */
  constructor(host, on) {
    this.on = on;
    this.host = host;
    this.flipped = false;
    this.editing = false;
    this.position = null;
    this.moves = [];
    this.picked = null;
    this.focused = 4;
    /** True if the pointer moved the focus to its square. The arrow keys then do not move on the board. */
    this.byPointer = false;
    this.hand = null;
    this.lifted = null;
    /** The square on which a man was just dropped: it is there already and does not glide. */
    this.dropped = null;
    this.checked = null;
    this.build();
  }

  build() {
    this.picture = svg("svg", { viewBox: "0 0 360 360", class: "picture", "aria-hidden": "true" });
    this.defs = svg("defs");
    this.squares = svg("g");
    this.marks = svg("g");
    this.men = svg("g", { class: "men" });
    this.names = svg("g", { class: "names" });
    this.arrows = svg("g", { class: "arrows" });
    this.picture.append(this.defs, this.squares, this.marks, this.men, this.names, this.arrows);
    this.squares.append(...ground());
    this.grid = document.createElement("div");
    this.grid.className = "grid";
    this.grid.setAttribute("role", "grid");
    this.cells = [];
    for (let row = 0; row < 8; row += 1) {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      for (let column = 0; column < 8; column += 1) {
        const cell = document.createElement("div");
        cell.setAttribute("role", "gridcell");
        cell.tabIndex = -1;
        line.append(cell);
        this.cells.push(cell);
      }
      this.grid.append(line);
    }
    this.ghost = svg("svg", { viewBox: "0 0 45 45", class: "ghost", "aria-hidden": "true" });
    this.ghost.style.display = "none";
    this.host.append(this.picture, this.grid);
    document.body.append(this.ghost);
    this.grid.addEventListener("pointerdown", (event) => this.press(event));
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("focusin", (event) => {
      const index = this.cells.indexOf(event.target);
      if (index >= 0) this.focusOn(this.squareAt(index), false);
      this.byPointer = this.pressing;
    });
  }

  /** The square of a cell, and the cell of a square. Cells are counted from the upper left. */
  squareAt(index) {
    const [file, rank] = [index & 7, 7 - (index >> 3)];
    return this.flipped ? square(7 - file, 7 - rank) : square(file, rank);
  }

  indexOf(sq) {
    const [file, rank] = [sq & 7, sq >> 3];
    return this.flipped ? rank * 8 + 7 - file : (7 - rank) * 8 + file;
  }

  cornerOf(sq) {
    const index = this.indexOf(sq);
    return [(index & 7) * SIDE, (index >> 3) * SIDE];
  }

  /** Shows the men in a style: Thai, letters or western. */
  style(style, lettering) {
    this.defs.innerHTML = symbols(style, lettering);
    this.picture.classList.toggle("lettered", style === "letters");
    this.ghost.classList.toggle("lettered", style === "letters");
  }

  /**
   * Shows a position, its legal moves, the move that led to it, and whether the side to move is in check. `key` names
   * the position: a man picked up in another position is let go.
   */
  show(key, position, moves, last = null, check = false) {
    const glides = key !== this.of && !this.editing ? glide(this.position, position, this.dropped) : null;
    if (key !== this.of) {
      this.picked = null;
      this.arrow(null);
    }
    this.dropped = null;
    this.of = key;
    this.position = position;
    this.moves = moves;
    this.last = last;
    this.checked = check ? position.board.indexOf(position.turn === "w" ? "K" : "k") : null;
    this.draw();
    if (glides) this.glide(...glides);
  }

  /** Moves a man from its old square to the one on which it is drawn. */
  glide(from, to) {
    const shape = [...this.men.children].find((one) => one.dataset.square === nameOf(to));
    const [[x, y], [ax, ay]] = [this.cornerOf(to), this.cornerOf(from)];
    // The man that moves is drawn above the others.
    this.men.append(shape);
    shape.animate?.([{ transform: `translate(${ax - x}px, ${ay - y}px)` }, { transform: "none" }], { duration: 160, easing: "ease-out" });
  }

  draw() {
    const names = [];
    for (let i = 0; i < 8; i += 1) {
      const file = svg("text", { x: i * SIDE + 42, y: 357, class: i % 2 ? "on-light" : "on-dark" });
      file.textContent = squareName("abcdefgh"[this.flipped ? 7 - i : i]);
      const rank = svg("text", { x: 3, y: i * SIDE + 11, class: i % 2 ? "on-dark" : "on-light" });
      rank.textContent = squareName(String(this.flipped ? i + 1 : 8 - i));
      rank.classList.add("rank");
      names.push(file, rank);
    }
    this.names.replaceChildren(...names);
    this.men.replaceChildren(...this.position.board.flatMap((which, sq) => {
      if (which === null) return [];
      const shape = man(which, ...this.cornerOf(sq));
      shape.dataset.square = nameOf(sq);
      shape.classList.toggle("lifted", sq === this.lifted);
      return [shape];
    }));
    this.mark();
    this.cells.forEach((cell, index) => {
      const sq = this.squareAt(index);
      const which = this.position.board[sq];
      const name = nameOf(sq);
      cell.dataset.square = name;
      mark(cell, "aria-label", which === null
        ? t("emptyOn", { square: squareName(name) })
        : t(sq === this.checked ? "manInCheck" : "manOn", { square: squareName(name), side: sideWord(isWhite(which) ? "w" : "b"), man: t(which.toUpperCase()) }));
      cell.setAttribute("aria-selected", String(sq === this.picked));
      cell.tabIndex = sq === this.focused ? 0 : -1;
      cell.classList.toggle("can", this.editing || this.moves.some((uci) => uci.startsWith(name)));
    });
    mark(this.grid, "aria-label", `${t("board")}. ${t("boardHelp")}`);
  }

  /** Marks the squares of the last move, of the man picked up, and of its moves. */
  mark() {
    const marks = [];
    const tile = (sq, name) => {
      const [x, y] = this.cornerOf(sq);
      marks.push(svg("rect", { class: name, x, y, width: SIDE, height: SIDE }));
    };
    for (const sq of this.last ? [this.last.slice(0, 2), this.last.slice(2, 4)].map(squareOf) : []) tile(sq, "last");
    if (this.checked !== null) {
      const [x, y] = this.cornerOf(this.checked);
      marks.push(svg("circle", { class: "check", cx: x + SIDE / 2, cy: y + SIDE / 2, r: 21 }));
    }
    if (this.picked !== null) {
      tile(this.picked, "picked");
      for (const sq of this.targets(this.picked)) {
        const [x, y] = this.cornerOf(sq);
        const taken = this.position.board[sq] !== null;
        marks.push(svg("circle", { class: taken ? "take" : "to", cx: x + SIDE / 2, cy: y + SIDE / 2, r: taken ? 19 : 6 }));
      }
    }
    this.marks.replaceChildren(...marks);
  }

  /** Draws a ring around a square, which stays until the position changes. */
  ring(name) {
    const [x, y] = this.cornerOf(squareOf(name));
    this.marks.append(svg("circle", { class: "take", cx: x + SIDE / 2, cy: y + SIDE / 2, r: 20 }));
  }

  targets(from) {
    if (this.editing) return [];
    return this.moves.filter((uci) => uci.startsWith(nameOf(from))).map((uci) => squareOf(uci.slice(2, 4)));
  }

  /** Draws an arrow for a move; removes the arrow if the move is null. */
  arrow(uci, kind = "") {
    if (!uci) {
      this.arrows.replaceChildren();
      return;
    }
    const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)].map((name) => this.cornerOf(squareOf(name)).map((n) => n + SIDE / 2));
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy);
    const [ux, uy] = [dx / length, dy / length];
    const tip = [to[0] - ux * 6, to[1] - uy * 6];
    const neck = [tip[0] - ux * 15, tip[1] - uy * 15];
    const start = [from[0] + ux * 12, from[1] + uy * 12];
    const side = (point, by) => `${point[0] - uy * by} ${point[1] + ux * by}`;
    const outline = `M${side(start, 3)}L${side(neck, 3)}L${side(neck, 9)}L${tip[0]} ${tip[1]}L${side(neck, -9)}L${side(neck, -3)}L${side(start, -3)}z`;
    this.arrows.replaceChildren(svg("path", { d: outline, class: kind }));
  }

  /** The square that the keyboard acts on. */
  get current() {
    return this.cells[this.indexOf(this.focused)];
  }

  focusOn(sq, really = true) {
    this.focused = sq;
    this.cells.forEach((cell, index) => {
      cell.tabIndex = this.squareAt(index) === sq ? 0 : -1;
    });
    if (really) this.current.focus();
  }

  pick(sq) {
    this.picked = sq;
    this.mark();
    this.cells.forEach((cell, index) => cell.setAttribute("aria-selected", String(this.squareAt(index) === sq)));
  }

  letGo() {
    this.hand = null;
    this.pick(null);
  }

  /** Handles a square chosen by a click, a tap or Enter. */
  choose(sq) {
    if (this.editing && this.hand !== null) {
      this.on.put(sq, this.hand === "x" ? null : this.hand);
      return;
    }
    if (this.picked === null) {
      const which = this.position.board[sq];
      if (which !== null && !this.editing && !this.pressing) this.on.about(which);
      if (which !== null && (this.editing || this.targets(sq).length)) this.pick(sq);
      return;
    }
    const from = this.picked;
    this.pick(null);
    if (from !== sq) this.drop(from, sq);
  }

  /** Handles a man dropped on a square or outside the board. */
  drop(from, to) {
    if (this.editing) {
      if (to === null) this.on.put(from, null);
      else this.on.move(from, to);
      return;
    }
    if (to === null) return;
    const moves = this.moves.filter((move) => move.startsWith(nameOf(from) + nameOf(to)));
    // In ASEAN chess the player chooses the man that a bia becomes.
    if (moves.length > 1) this.on.choose(moves);
    else if (moves.length) this.on.play(moves[0]);
    else if (this.position.board[to] !== null && this.targets(to).length) this.pick(to);
    else this.on.refused(nameOf(to));
  }

  squareUnder(event) {
    const box = this.picture.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / box.width * 8);
    const row = Math.floor((event.clientY - box.top) / box.height * 8);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    return this.squareAt(row * 8 + column);
  }

  press(event) {
    if (event.button !== 0 || !this.position) return;
    const from = this.squareUnder(event);
    if (from === null) return;
    this.pressing = true;
    this.focusOn(from);
    this.pressing = false;
    this.byPointer = true;
    event.preventDefault();
    const which = this.position.board[from];
    if (!this.editing && this.hand === null && which !== null && !this.targets(this.picked ?? from).includes(from)) this.on.about(which);
    const movable = which !== null && this.hand === null && (this.editing || this.targets(from).length > 0);
    if (!movable || (this.picked !== null && this.picked !== from)) {
      this.choose(from);
      return;
    }
    const wasPicked = this.picked === from;
    this.pick(from);
    this.drag(event, which, (to, dragged) => {
      if (dragged) {
        this.pick(null);
        this.dropped = to;
        if (to !== from) this.drop(from, to);
      } else if (wasPicked) this.pick(null);
    }, from);
  }

  /**
   * Lets a man from the board or the tray follow the pointer, and reports where it was dropped. If another
   * position is shown by then, nothing is reported.
   */
  drag(event, which, left, from = null) {
    const { pointerId } = event;
    const { of } = this;
    const lift = (sq) => {
      this.lifted = sq;
      for (const shape of this.men.children) shape.classList.toggle("lifted", sq !== null && shape.dataset.square === nameOf(sq));
    };
    const start = [event.clientX, event.clientY];
    const size = this.picture.getBoundingClientRect().width / 8;
    let dragged = false;
    const follow = (to) => {
      if (to.pointerId !== pointerId) return;
      if (!dragged && Math.hypot(to.clientX - start[0], to.clientY - start[1]) < 5) return;
      if (!dragged) {
        dragged = true;
        this.ghost.replaceChildren(man(which, 0, 0));
        this.ghost.style.display = "";
        this.ghost.style.width = `${size}px`;
        lift(from);
      }
      this.ghost.style.transform = `translate(${to.clientX - size / 2}px, ${to.clientY - size / 2}px)`;
      const under = this.squareUnder(to);
      this.cells.forEach((cell, index) => cell.classList.toggle("over", this.squareAt(index) === under));
    };
    const end = (to) => {
      if (to.pointerId !== pointerId) return;
      removeEventListener("pointermove", follow);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      this.ghost.style.display = "none";
      lift(null);
      for (const cell of this.cells) cell.classList.remove("over");
      if (to.type === "pointerup" && this.of === of) left(this.squareUnder(to), dragged);
    };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (step) {
      if (this.byPointer) return;
      const index = this.indexOf(this.focused);
      const [column, row] = [(index & 7) + step[0], (index >> 3) + step[1]];
      if (column >= 0 && column < 8 && row >= 0 && row < 8) this.focusOn(this.squareAt(row * 8 + column));
    } else if (event.key === "Enter") this.choose(this.focused);
    else if (this.editing && (event.key === "Delete" || event.key === "Backspace")) this.on.put(this.focused, null);
    else if (this.editing && /^[KRNSMPBQkrnsmpbq]$/.test(event.key)) {
      const which = { B: "S", Q: "M", b: "s", q: "m" }[event.key] ?? event.key;
      this.on.put(this.focused, which);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * The squares between which one man has moved, forward or back, from one position to another; null if more has changed
 * or the user prefers no motion.
 */
function glide(before, after, dropped) {
  if (!before || matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
  const changed = after.board.flatMap((man, sq) => (man === before.board[sq] ? [] : [sq]));
  if (changed.length !== 2) return null;
  const to = changed.find((sq) => after.board[sq] !== null && before.board[changed.find((one) => one !== sq)] !== null && isWhite(after.board[sq]) === isWhite(before.board[changed.find((one) => one !== sq)]));
  const from = changed.find((sq) => sq !== to);
  return to === undefined || to === dropped ? null : [from, to];
}

/** The squares, drawn both as a chequered board and as a board of lines. The style shows one of the two. */
function ground() {
  let dark = "";
  let lines = "";
  for (let index = 0; index < 64; index += 1) {
    if (((index >> 3) + (index & 7)) % 2 === 1) dark += `M${(index & 7) * SIDE} ${(index >> 3) * SIDE}h45v45h-45z`;
  }
  for (let i = 1; i < 8; i += 1) lines += `M${i * SIDE} 0V360M0 ${i * SIDE}H360`;
  return [svg("rect", { class: "light", width: 360, height: 360 }), svg("path", { class: "dark", d: dark }), svg("path", { class: "rule", d: lines })];
}

/** A small board that only shows a position. */
export function thumbnail(position) {
  const picture = svg("svg", { viewBox: "0 0 360 360", class: "thumbnail", "aria-hidden": "true" });
  picture.append(...ground());
  position.board.forEach((which, sq) => {
    if (which !== null) picture.append(man(which, (sq & 7) * SIDE, (7 - (sq >> 3)) * SIDE));
  });
  return picture;
}
