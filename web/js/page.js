// The page: its panels, each drawn from what is shown.

import * as api from "./api.js";
import { Board } from "./board.js";
import { Controls } from "./controls.js";
import { CountPanel } from "./count.js";
import { $, el, keepingFocus, write } from "./dom.js";
import { Editor } from "./editor.js";
import { EndingPanel } from "./ending.js";
import { empty, letteringOf } from "./fen.js";
import { FenPanel } from "./fens.js";
import { GamesPanel } from "./games.js";
import { LinePanel } from "./line.js";
import { MovesPanel } from "./moves.js";
import { problemWords } from "./problem.js";
import { RuleSets, sentence, VerdictPanel } from "./verdict.js";
import { t } from "./words.js";

export class Page {
  /** `on` has what the panels can do: see `app.js`. */
  constructor(on) {
    this.board = new Board($("board"), { play: on.play, put: on.put, move: on.move, refused: on.illegal });
    this.controls = new Controls(on.act);
    this.count = new CountPanel({ slide: on.slide, settle: on.settle });
    this.verdict = new VerdictPanel();
    this.sets = new RuleSets(on.choose);
    this.moves = new MovesPanel({ play: on.play, look: (uci, worth) => this.board.arrow(uci, worth) });
    this.line = new LinePanel({ go: on.go, save: (text) => download(text, "sakmak.pgn") });
    this.fens = new FenPanel(on.openText);
    this.editor = new Editor(this.board, { change: on.edit, random: on.random }, on.position);
    this.ending = new EndingPanel((fen, rules) => {
      on.open(fen, rules);
      this.toBoard();
    });
    this.games = new GamesPanel({ annotate: api.annotate, save: saveAnnotated, show: on.showGame });
    addEventListener("beforeprint", () => this.board.arrow(null));
  }

  /** Draws all of it. */
  show(view) {
    keepingFocus(() => this.draw(view), () => this.board.current);
  }

  draw(view) {
    const { board } = this;
    this.shown = view;
    const legal = view.exact ? view.doc.answer.moves.map((move) => move.uci) : [];
    board.style(view.style, letteringOf(view.rules));
    board.show(view.key, view.position ?? empty(), legal, view.game.last?.uci ?? null);
    this.controls.show({ ...view, doc: view.exact ? view.doc : null, title: title(view), editing: board.editing });
    this.editor.show({ endings: view.endings, ending: view.ending, problem: view.unlucky });
    this.verdict.show(view);
    this.sets.show(view);
    this.count.show(view);
    this.moves.show(view);
    this.line.show({ ...view, doc: view.exact ? view.doc : null });
    this.fens.show({ fen: view.fen, rules: view.rules, problem: view.fenProblem });
    this.ending.show(view);
    this.games.mark(view.game.fen);
    this.games.endings = view.endings;
    for (const [id, words] of [["problem", view.problem], ["hint", view.hint]]) {
      write($(id), words);
      $(id).hidden = !words;
    }
    for (const [id, busy] of [["moves", !view.exact && !view.refused], ["main", view.busy]]) {
      if (busy) $(id).setAttribute("aria-busy", "true");
      else $(id).removeAttribute("aria-busy");
    }
  }

  /** Says what an answer says, for those who do not see it. */
  announce(before, doc) {
    write($("said"), `${before}${sentence(doc)}`);
  }

  get editing() {
    return this.board.editing;
  }

  toggleEditing() {
    this.board.editing = !this.board.editing;
    this.letGo();
    $("board").classList.toggle("editing", this.board.editing);
  }

  letGo() {
    this.board.letGo();
  }

  flip() {
    this.board.flipped = !this.board.flipped;
    this.show(this.shown);
  }

  countStep(by) {
    this.count.step(by);
  }

  chooseGames() {
    this.games.open();
  }

  /** Draws what is drawn once, in the language chosen. */
  translate() {
    this.games.show();
  }

  /** To the board, where another position has come. */
  toBoard() {
    this.board.current.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }
}

/** What the page is called, after its position. */
function title({ doc, n, ending }) {
  return doc && ending ? `${ending}: ${sentence(doc, n)} – sakmak` : t("title");
}

async function saveAnnotated(file) {
  try {
    download(await api.annotated(file), "annotated.pgn");
    return "";
  } catch (refused) {
    return problemWords(refused);
  }
}

function download(text, name) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
