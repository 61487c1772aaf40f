// Real games: the user drops or chooses a PGN, and each move is shown with the tables' verdict.

import { $, Button, el, fill, mark, write } from "./dom.js";
import { example, exampleBia, exampleReal } from "./example.js";
import { endingOf, format, parse } from "./fen.js";
import { MarginGraph } from "./margin.js";
import { spoken } from "./notation.js";
import { problemWords } from "./problem.js";
import { currentLanguage, sideWord, t, translated } from "./words.js";

/** The largest file that is annotated, in bytes. */
const MOST_BYTES = 8 << 20;

const tag = (game, name) => game.tags?.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? "";
/** The value of a tag, without the unknown parts of a date. */
const named = (game, name) => tag(game, name).replace(/(\.\?+)+$/, "").replace(/^\?*$/, "") || "?";
const canonical = (fen) => format(parse(fen));

/** The title of a game: the players and the result or, if neither player is known, the event or "A game". */
function heading(game) {
  const players = [named(game, "White"), named(game, "Black")];
  const event = named(game, "Event");
  const name = players.some((player) => player !== "?") ? players.join(" – ") : event === "?" ? t("aGame") : event;
  return `${name} ${game.result}`;
}

/** A whole game: its first position, its moves with the numbers said, and the index of the position to show. */
function played({ positions }, place) {
  const moves = positions.slice(1).map(({ move, fen, known }) => {
    const said = known?.count?.started && known.count.kind === "pieces-honor" && isBare(fen, move.for);
    return { uci: move.uci, san: move.san, counted: said ? known.count.counted : null, fen: canonical(fen) };
  });
  return { start: canonical(positions[0].fen), moves, place };
}

/** True if a side has only its king. */
function isBare(fen, side) {
  const men = fen.split(" ")[0].replace(side === "white" ? /[^A-Z]/g : /[^a-z]/g, "");
  return men.length === 1;
}

/** The text of the open file and the number of the chosen game, kept until the tab is closed. */
const opened = {
  get text() {
    try { return sessionStorage.getItem("sakmak-games"); } catch { return null; }
  },
  get game() {
    return Number(sessionStorage.getItem("sakmak-game")) || 0;
  },
  keep(text, game) {
    try {
      sessionStorage.setItem("sakmak-games", text);
      sessionStorage.setItem("sakmak-game", game);
    } catch { /* It is a convenience. */ }
  },
};

export class GamesPanel {
  /**
   * `on` has `annotate(file)`, which resolves to documents, `save(file)`, which resolves to an error if there was
   * one, `opened()`, called when a file is opened, and `show(game, rules)`.
   */
  constructor(on) {
    this.on = on;
    this.file = null;
    this.games = [];
    this.chosen = 0;
    this.shown = null;
    this.message = null;
    /** The endings of which the server has tables. */
    this.endings = [];
    this.input = el("input", { type: "file", id: "pgn", accept: ".pgn,.txt,application/x-chess-pgn,text/plain", class: "unseen", onchange: () => {
      this.take(this.input.files[0]);
      this.input.value = "";
    } });
    this.head = el("h2", { id: "games-name" });
    this.help = el("span");
    this.choose = el("b");
    this.zone = el("label", { class: "drop", for: "pgn" }, this.choose, " ", this.help);
    this.said = el("p", { class: "problem", role: "alert", hidden: true });
    this.list = el("div", { class: "list" });
    this.game = el("div", { class: "game" });
    this.examples = Object.entries({ example, exampleBia, exampleReal }).map(([key, text]) => {
      const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return { key, text, button: new Button(() => this.takeText(text(this.endings)), { "data-do": name }) };
    });
    this.text = el("textarea", { id: "pgn-text", rows: 4, spellcheck: "false" });
    this.textName = el("label", { for: "pgn-text" });
    this.read = new Button(() => this.takeText(this.text.value), { "data-do": "read" });
    this.pasteName = el("summary");
    this.paste = el("details", {}, this.pasteName, this.textName, this.text, el("p", {}, this.read.element));
    this.graph = new MarginGraph({ show: (ply) => this.showPly(ply), name: (ply) => this.name(ply) });
    $("games").replaceChildren(this.head, this.input, this.zone, el("p", { class: "bar" }, this.examples.map(({ button }) => button.element)), this.paste, this.said, this.list, this.game);
    // A file may be dropped anywhere on the page; otherwise the browser would leave the page to open it.
    const files = (event) => event.dataTransfer?.types.includes("Files");
    addEventListener("dragover", (event) => {
      if (!files(event)) return;
      event.preventDefault();
      this.zone.classList.add("over");
    });
    addEventListener("dragleave", () => this.zone.classList.remove("over"));
    addEventListener("paste", (event) => {
      if (event.target.closest?.("input, textarea")) return;
      const text = event.clipboardData?.getData("text") ?? "";
      if (/^\s*(\[|1\.)/.test(text)) this.takeText(text);
    });
    addEventListener("drop", (event) => {
      if (!files(event)) return;
      event.preventDefault();
      this.zone.classList.remove("over");
      this.take(event.dataTransfer.files[0]);
    });
  }

  /** Annotates games that the user has written or pasted. */
  takeText(text) {
    if (text?.trim()) this.take(new File([text], "games.pgn"));
  }

  /** Shows a position of the game on the board. */
  showPly(ply) {
    const game = this.games[this.chosen];
    this.on.show(played(game, ply), game.rules);
  }

  /** A move of the game with its number. */
  name(ply) {
    const { move } = this.games[this.chosen].positions[ply];
    return `${move.number}${move.for === "white" ? "." : "…"} ${spoken(move.san)}`;
  }

  /** Sets the endings of which the server has tables. They determine the example offered. */
  know(endings) {
    if (endings === this.endings) return;
    this.endings = endings;
    this.showExamples();
  }

  showExamples() {
    for (const { key, text, button } of this.examples) {
      button.show({ text: t(key) });
      button.element.hidden = text(this.endings) === null;
    }
  }

  /** Shows the games of the last file again after the page was loaded again. */
  recall() {
    const text = this.file ? null : opened.text;
    if (text) this.take(new File([text], "games.pgn"), opened.game);
  }

  /** Annotates the games of a file, and shows the first one or, of a file that was open before, the one chosen then. */
  async take(file, chosen = null) {
    if (!file) return;
    this.on.opened();
    this.games = [];
    this.chosen = 0;
    this.file = file;
    this.message = t("loading");
    this.show();
    $("games").scrollIntoView({ block: "nearest" });
    try {
      if (file.size > MOST_BYTES) {
        this.message = t("gamesTooLarge");
        this.show();
        return;
      }
      const games = await this.on.annotate(file);
      if (this.file !== file) return;
      this.games = games;
      this.chosen = Math.min(chosen ?? 0, games.length - 1);
      this.message = null;
      opened.keep(await file.text(), this.chosen);
    } catch (refused) {
      if (this.file !== file) return;
      this.message = problemWords(refused);
    }
    this.show();
    if (chosen === null) this.toMistake();
  }

  /**
   * Shows the first mistake of the game on the board or, without mistakes, the first position that the tables cover, or
   * the first of all.
   */
  toMistake() {
    const game = this.games[this.chosen];
    if (game?.positions) this.showPly(game.mistakes[0] ?? Math.max(0, game.positions.findIndex((at) => at.known)));
  }

  async save() {
    this.message = await this.on.save(this.file);
    this.showMessage();
  }

  showMessage() {
    this.said.hidden = !this.message;
    write(this.said, this.message ?? "");
  }

  /** Marks the move whose position is on the board. */
  mark(fen) {
    this.shown = fen;
    for (const button of this.game.querySelectorAll("button[data-fen]")) {
      if (button.dataset.fen === fen) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    const current = this.game.querySelector("[aria-current]");
    const list = current?.closest(".plies");
    // Only the list scrolls, not the page.
    if (list && (current.offsetTop < list.scrollTop || current.offsetTop + current.offsetHeight > list.scrollTop + list.clientHeight)) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    this.graph.mark(current ? Number(current.dataset.ply) : null);
  }

  show() {
    write(this.head, t("games"));
    write(this.choose, t("chooseGames"));
    write(this.help, t("gamesHelp"));
    this.showExamples();
    write(this.pasteName, t("pasteGame"));
    write(this.textName, t("gameText"));
    this.read.show({ text: t("readGame") });
    this.showMessage();
    fill(this.list, this.games, (i) => this.entry(i), (entry, game, i) => this.update(entry, game, i));
    this.list.hidden = this.games.length < 2;
    const game = this.games[this.chosen];
    this.game.replaceChildren(...(game ? this.contents(game) : []));
    if (game?.positions) this.graph.show(game);
    this.mark(this.shown);
  }

  entry(i) {
    const button = new Button(() => {
      this.chosen = i;
      opened.keep(opened.text, i);
      this.show();
      this.toMistake();
    });
    button.element.append(el("span"), el("span", { class: "quiet" }));
    return button.element;
  }

  update(entry, game, i) {
    const label = game.positions ? heading(game)
      : t("gameFailed", { line: game.line ?? "?" });
    const mistakes = game.mistakes?.length ?? 0;
    const note = !game.positions ? "" : !game.positions.some((at) => at.known) ? t("notInTables") : mistakes ? `${mistakes} ??` : "";
    mark(entry, "aria-pressed", String(i === this.chosen));
    write(entry.firstChild, `${i + 1}. ${label}`);
    write(entry.lastChild, note ? ` ${note}` : "");
  }

  contents(game) {
    if (!game.positions) return [el("p", { class: "problem" }, translated(game.error.message))];
    const details = ["Event", "Site", "Date"].map((name) => named(game, name)).filter((text) => text !== "?" && !heading(game).startsWith(text));
    return [
      el("h3", {}, heading(game)),
      details.length ? el("p", { class: "quiet" }, `${t(game.rules)}: ${details.join(", ")}`) : el("p", { class: "quiet" }, t(game.rules)),
      // The moves, beside the board.
      el("p", { class: "plies" }, this.plies(game)),
      game.error ? el("p", { class: "problem" }, t("gameStops", { move: game.error.ply > 1 ? this.name(game.error.ply - 1) : t("theBeginning"), message: translated(game.error.message) })) : null,
      this.graph.element,
      el("ul", { class: "facts" }, this.facts(game).map((fact) => el("li", {}, fact))),
      // The tables write in English; in other languages the facts above say the same.
      currentLanguage() === "en" ? el("details", {}, el("summary", {}, t("inWords")), el("p", { lang: "en" }, game.summary.join(" "))) : null,
      el("p", {}, el("button", { type: "button", "data-do": "annotated", onclick: () => this.save() }, t("saveAnnotated"))),
    ].filter((child) => child !== null);
  }

  /** Writes sentences about the whole game. */
  facts(game) {
    const { positions } = game;
    const name = (ply) => this.name(ply);
    const from = positions.findIndex((at) => at.known);
    if (from < 0) return [`${t("gameUnknown")} ${this.whyUnknown(positions)}`];
    const facts = [from === 0 ? t("knownFromStart") : t("knownFrom", { move: name(from) })];
    for (const count of game.counts) {
      if (!count.certain) continue;
      const begun = t("countBegan", { kind: t(count.kind), move: count.ply ? name(count.ply) : t("theBeginning"), limit: count.limit, first: count.first_number });
      const other = count.side === "white" ? "black" : "white";
      const left = count.side && count.moves_available !== null
        ? ` ${count.moves_needed === null ? t("countLeaves", { side: sideWord(other), left: count.moves_available })
          : t("countNeeds", { side: sideWord(other), left: count.moves_available, needed: count.moves_needed })}`
        : "";
      facts.push(begun + left);
    }
    facts.push(game.mistakes.length ? t("mistakes", { moves: game.mistakes.map(name).join(", ") }) : t("noMistakes"));
    for (const side of ["white", "black"]) {
      const ply = game.last_chance[side];
      const better = ply === null ? null : positions[ply].move.judged?.keeping[0];
      if (better) facts.push(t("lastChance", { side: sideWord(side), move: `${name(ply).replace(/ .*/, "")} ${spoken(better)}` }));
    }
    return facts;
  }

  /** The reason why the tables cover no position of a game. */
  whyUnknown(positions) {
    const last = parse(positions.at(-1).fen);
    if (!last) return "";
    const men = last.board.filter((man) => man !== null).length;
    const bia = last.board.some((man) => man?.toUpperCase() === "P");
    if (bia && !this.endings.some((name) => name.includes("P"))) return t("gameWhyBia", { men });
    const most = Math.max(0, ...this.endings.map((name) => name.length - 1));
    if (most > 0 && men > most) return t("gameWhyMen", { men, most });
    const ending = endingOf(last);
    return ending && !this.endings.includes(ending.material) ? t("gameWhyTable", ending) : "";
  }

  /** Lists the moves. */
  plies(game) {
    return game.positions.slice(1).map(({ move, known, fen }, i) => {
      const ply = i + 1;
      const wrong = game.mistakes.includes(ply);
      const head = move.for === "white" ? `${move.number}. ` : i === 0 ? `${move.number}… ` : "";
      const san = `${spoken(move.san)}${wrong ? "??" : ""}`;
      const button = el("button", { type: "button", class: wrong ? "wrong" : known ? null : "far", "data-ply": ply, "data-fen": canonical(fen), onclick: () => this.showPly(ply) }, san);
      const better = wrong && move.judged?.keeping.length ? el("span", { class: "better" }, ` (${t("better")} ${move.judged.keeping.slice(0, 3).map(spoken).join(", ")})`) : null;
      return el("span", { class: "ply" }, head ? el("span", { class: "number" }, head) : null, button, better);
    });
  }
}
