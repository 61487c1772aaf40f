// The moves of the game as buttons, each followed by the number said after it.

import { isMistake } from "./account.js";
import { $, Button, el, fill, mark, write } from "./dom.js";
import { inLetters, letteringOf } from "./fen.js";
import { numbered, pgn } from "./game.js";
import { spoken } from "./notation.js";
import { t } from "./words.js";

export class LinePanel {
  /** `on` has `go(place)`, `vary(index)`, which shows a variation, and `save(pgn)`. */
  constructor(on) {
    this.on = on;
    this.heading = el("h2");
    this.none = el("p", { class: "quiet" });
    this.items = el("span");
    this.over = el("span", { class: "over" });
    this.plies = el("p", { class: "plies" }, this.items, this.over);
    this.save = new Button(() => on.save(this.pgn()), { "data-do": "pgn" });
    this.tools = el("p", {}, this.save.element);
    $("line").replaceChildren(this.heading, this.plies, this.none, this.tools);
  }

  show({ game, rules, doc, hiding }) {
    this.shown = { game, rules, doc, hiding };
    const any = game.moves.length > 0;
    write(this.heading, t("line"));
    write(this.none, t("lineEmpty"));
    this.none.hidden = any;
    this.plies.hidden = !any;
    this.tools.hidden = !any;
    this.save.show({ text: t("pgn") });
    const items = numbered(game.start, game.moves, (move, head, i) => ({ move, head, place: i + 1 }));
    fill(this.items, items, () => this.ply(), (ply, item) => this.update(ply, item, game.place));
    write(this.over, game.end && game.atEnd ? t(`ended-${game.end}`) : "");
    this.scroll();
  }

  ply() {
    const button = el("button", { type: "button", onclick: () => this.on.go(Number(ply.dataset.place)) });
    const ply = el("span", { class: "ply" }, el("span", { class: "number" }), button, el("sup"), el("span", { class: "variations" }));
    return ply;
  }

  update(ply, { move, head, place }, shown) {
    const [number, button, said, others] = ply.children;
    // The variations at the position shown.
    const { variations } = this.shown.game;
    const here = variations.flatMap((one, i) => (one.place === place - 1 ? [{ ...one, i }] : []));
    fill(others, here, () => el("button", { type: "button", class: "small", onclick: (event) => this.on.vary(Number(event.currentTarget.dataset.variation)) }), (other, { moves, i }) => {
      other.dataset.variation = i;
      write(other, `(${spoken(moves[0].san)}${moves.length > 1 ? " …" : ""})`);
      mark(other, "aria-label", t("variation", { move: spoken(moves[0].san), n: moves.length }));
    });
    ply.dataset.place = place;
    write(number, head ? `${head} ` : "");
    write(button, `${spoken(move.san)}${isMistake(move) && !this.shown.hiding ? "??" : ""}`);
    mark(button, "aria-current", place === shown ? "true" : null);
    write(said, move.counted === null || move.counted === undefined ? "" : String(move.counted));
    mark(said, "title", said.textContent ? t("saidSoFar") : null);
  }

  /** Scrolls to the move shown. */
  scroll() {
    const current = this.items.querySelector('[aria-current="true"]');
    if (!current || current === this.current) return;
    this.current = current;
    this.plies.scrollTop = current.offsetTop - this.plies.offsetTop - this.plies.clientHeight / 2;
  }

  /** The game as a PGN, with the result of its last position if the result is known. */
  pgn() {
    const { game, rules, doc } = this.shown;
    const answer = game.atEnd ? doc?.answer : null;
    const mate = answer?.checkmate ? (answer.side_to_move === "white" ? "0-1" : "1-0") : null;
    const drawn = answer?.stalemate || answer?.insufficient_material;
    const result = mate ?? (game.end ? game.result ?? "1/2-1/2" : drawn ? "1/2-1/2" : "*");
    return pgn(inLetters(game.start, letteringOf(rules)), game.moves, rules, result, game.variations);
  }
}
