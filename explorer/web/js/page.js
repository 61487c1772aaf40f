// The page: its panels, all drawn from one view.

import * as api from "./api.js";
import { Become } from "./become.js";
import { Board } from "./board.js";
import { Consequence } from "./consequence.js";
import { Controls } from "./controls.js";
import { CountPanel } from "./count.js";
import { CoursePanel } from "./course.js";
import { $, Button, el, keepingFocus, mark, write } from "./dom.js";
import { Editor } from "./editor.js";
import { EndingPanel } from "./ending.js";
import { empty, letteringOf } from "./fen.js";
import { FenPanel } from "./fens.js";
import { GamesPanel } from "./games.js";
import { Legend } from "./legend.js";
import { Letters } from "./letters.js";
import { LinePanel } from "./line.js";
import { isPlaying } from "./modes.js";
import { MovesPanel } from "./moves.js";
import { Nav } from "./nav.js";
import { PracticePanel } from "./practice.js";
import { problemWords } from "./problem.js";
import { PromotionPanel } from "./promotion.js";
import { PuzzlePanel } from "./puzzles.js";
import { Strip } from "./strip.js";
import { RuleSets, sentence, VerdictPanel } from "./verdict.js";
import { t } from "./words.js";

export class Page {
  /** `on` has the actions of the panels: see `app.js`. */
  constructor(on) {
    this.become = new Become(on.play);
    const choose = (moves) => this.become.offer(moves, this.shown.key, this.shown.turn);
    this.board = new Board($("board"), { play: on.play, choose, put: on.put, move: on.move, refused: on.illegal, about: on.about });
    this.strip = new Strip(on.turn);
    this.nav = new Nav({ mode: on.mode, legend: () => this.legend.open() });
    this.legend = new Legend();
    this.course = new CoursePanel(on.lesson);
    this.practice = new PracticePanel(on.practice);
    this.puzzles = new PuzzlePanel(on.puzzles);
    this.about = new Button(() => this.legend.open(this.shown.about), { "data-do": "about" });
    this.aboutWords = el("span");
    $("about-man").replaceChildren(this.aboutWords, " ", this.about.element);
    this.consequence = new Consequence();
    this.letters = new Letters({ read: on.readLetters, asean: on.openAsean });
    this.controls = new Controls(on.act);
    this.count = new CountPanel({ slide: on.slide, settle: on.settle });
    this.verdict = new VerdictPanel();
    this.sets = new RuleSets(on.choose);
    this.moves = new MovesPanel({ play: on.play, why: on.why, look: (uci, worth) => this.board.arrow(uci, worth) });
    this.promotion = new PromotionPanel({ play: on.play, look: (uci, worth) => this.board.arrow(uci, worth) });
    this.line = new LinePanel({ go: on.go, vary: on.vary, save: (text) => download(text, "sakmak.pgn") });
    this.fens = new FenPanel({ open: on.openText, example: (fen) => on.open(fen, "makruk") });
    this.editor = new Editor(this.board, { change: on.edit, begin: on.begin, random: on.random, cancel: on.puzzles.cancel }, on.position);
    this.ending = new EndingPanel((fen, rules) => {
      on.open(fen, rules);
      this.toBoard();
    });
    this.games = new GamesPanel({ annotate: api.annotate, save: saveAnnotated, opened: on.openFile, show: on.showGame });
    addEventListener("beforeprint", () => this.board.arrow(null));
  }

  /** Draws every panel. */
  show(view) {
    keepingFocus(() => this.draw(view), () => this.board.current);
  }

  draw(view) {
    const { board } = this;
    this.shown = view;
    const legal = view.mayMove ? view.legal : [];
    board.style(view.style, letteringOf(view.rules));
    board.show(view.key, view.position ?? empty(), legal, view.game.last?.uci ?? null, (view.exact && view.doc.check) || (view.beyond?.check ?? false));
    document.body.classList.toggle("hiding", view.hiding);
    document.body.classList.toggle("asking", view.asking);
    // The verdict of the position in which the game begins.
    if ((view.hiding || view.asking) && this.announced) this.announce("", null);
    mark(document.body, "data-task", view.task && (view.task.phase !== "play" ? view.task.phase : view.turn === view.task.side && view.exact ? "mine" : "theirs"));
    this.nav.show(view);
    $("games").hidden = view.mode !== "games";
    this.become.show(view);
    this.consequence.show(view);
    this.strip.show({ ...view, playing: isPlaying(view.state) });
    this.course.show(view);
    this.practice.show({ ...view, doc: view.exact ? view.doc : null });
    this.puzzles.show(view);
    this.showAbout(view);
    this.controls.show({ ...view, doc: view.exact ? view.doc : null, title: title(view), editing: board.editing });
    this.editor.show({ endings: view.endings, ending: view.ending, searching: view.searching, problem: view.unlucky });
    this.verdict.show(view);
    this.sets.show(view);
    this.count.show(view);
    this.moves.show(view);
    this.promotion.show(view);
    this.line.show({ ...view, doc: view.exact ? view.doc : null });
    this.fens.show({ fen: view.fen, rules: view.rules, position: view.position, problem: view.fenProblem, endings: view.endings });
    this.ending.show(view);
    this.games.mark(view.game.fen);
    this.games.know(view.endings);
    this.letters.show(view);
    // A position without a table is no mistake: its moves can be played.
    $("problem").classList.toggle("beyond", view.beyond !== null);
    for (const [id, words] of [["problem", view.problem], ["hint", view.hint]]) {
      write($(id), words);
      $(id).hidden = !words;
    }
    for (const [id, busy] of [["moves", !view.exact && !view.refused && !view.beyond], ["main", view.busy]]) {
      if (busy) $(id).setAttribute("aria-busy", "true");
      else $(id).removeAttribute("aria-busy");
    }
  }

  /** Announces the text `before` and the answer to screen readers. Without an answer, announces only the text. */
  announce(before, doc) {
    this.announced = doc !== null;
    write($("said"), `${before}${doc ? sentence(doc) : ""}`);
  }

  /** Shows the man that the user pointed at, and a link to more about it. */
  showAbout({ about: which, rules }) {
    $("about-man").hidden = !which;
    if (!which) return;
    const kind = which.toUpperCase();
    write(this.aboutWords, `${t("manNamed", { name: t(kind), thai: t(`thai-${kind}`), letter: t(`letter-${kind}`) })}: ${t(kind === "P" && rules === "asean" ? "ways-P-asean" : `ways-${kind}`)}`);
    this.about.show({ text: t("legend") });
  }

  /** Shows the man that makes a move. */
  point(uci) {
    this.board.pick(null);
    this.board.ring(uci.slice(0, 2));
  }

  /** Saves a text as a file. */
  save(text, name, type) {
    download(text, name, type);
  }

  /** Shows the games that were open before the page was loaded again. */
  recallGames() {
    this.games.recall();
  }

  /** Scrolls to the panel of the chosen mode, on a small screen. */
  toMode() {
    const section = $(this.shown.mode);
    if (!section || section.getBoundingClientRect().top < innerHeight * 0.8) return;
    section.scrollIntoView({ block: "nearest" });
  }

  /** Scrolls to the board and the task below it, on a small screen. */
  toTask() {
    if (matchMedia("(max-width: 55.99rem)").matches) $("strip").scrollIntoView({ block: "start" });
  }

  /** Begins or ends setting up a position. */
  edit(on) {
    this.letGo();
    this.board.editing = on;
    $("board").classList.toggle("editing", on);
  }

  letGo() {
    this.become.letGo();
    this.board.letGo();
  }

  /** Shows the board from one side, until it is turned back. */
  turnTo(side) {
    this.turned ??= this.board.flipped;
    this.board.flipped = side === "b";
  }

  /** Shows the board as the user had turned it. */
  turnBack() {
    this.board.flipped = this.turned ?? this.board.flipped;
    this.turned = undefined;
  }

  flip() {
    this.board.flipped = !this.board.flipped;
    this.show(this.shown);
  }

  countStep(by) {
    this.count.step(by);
  }

  /** Draws the fixed parts in the chosen language. */
  translate() {
    this.games.show();
  }

  /** Scrolls to the board when another position is shown. */
  toBoard() {
    this.board.current.focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }
}

/** The title of the page, which names its position. */
function title({ doc, n, ending, hiding, asking }) {
  return doc && ending && !hiding && !asking ? `${ending}: ${sentence(doc, n)} – sakmak` : t("title");
}

async function saveAnnotated(file) {
  try {
    download(await api.annotated(file), "annotated.pgn");
    return "";
  } catch (refused) {
    return problemWords(refused);
  }
}

function download(text, name, type = "application/x-chess-pgn") {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
