// The explorer: what is shown, and what happens when somebody does something.

import * as api from "./api.js";
import { Board } from "./board.js";
import { CountPanel } from "./count.js";
import { $, el } from "./dom.js";
import { Editor } from "./editor.js";
import { EndingPanel } from "./ending.js";
import { format, letteringOf, parse, swapped, uncounted } from "./fen.js";
import { Game, numbered, pgn } from "./game.js";
import { GamesPanel } from "./games.js";
import { symbols, svg } from "./men.js";
import { MovesPanel, ranked } from "./moves.js";
import { sentence, showSets, showVerdict } from "./verdict.js";
import { currentLanguage, languages, setLanguage, t } from "./words.js";

const START = "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1";
const RULES = ["makruk", "asean", "ouk"];

/** What is remembered on this machine; nothing if the browser does not want to. */
const store = {
  get(key) {
    try { return localStorage.getItem(`sakmak-${key}`); } catch { return null; }
  },
  set(key, value) {
    try { localStorage.setItem(`sakmak-${key}`, value); } catch { /* It is a convenience. */ }
  },
};

const state = {
  rules: "makruk",
  game: new Game(START),
  /** The document of the position shown, once it is there. */
  doc: null,
  style: store.get("men") ?? "thai",
  figures: new Map(),
  asking: null,
  timer: null,
  aloud: store.get("aloud") === "yes",
};

const position = () => parse(state.game.fen);
const lettering = () => letteringOf(state.rules);
/** The FEN shown in the letters of the rule set. */
const fen = () => format(position(), lettering());

const board = new Board($("board"), {
  play,
  put(sq, which) {
    const now = position();
    const next = [...now.board];
    // There is one king of each side: a second one moves the first.
    if (which?.toUpperCase() === "K") next.forEach((man, at) => { if (man === which) next[at] = null; });
    next[sq] = which;
    edit({ ...now, board: next });
  },
  move(from, to) {
    const now = position();
    const next = [...now.board];
    next[to] = next[from];
    next[from] = null;
    edit({ ...now, board: next });
  },
  refused: (square) => say(t("illegal", { square })),
});
const count = new CountPanel({
  slide: (n) => recolour(n),
  settle: (n) => {
    recolour(n);
    setSaid(n);
  },
});
const moves = new MovesPanel({ play, look: (uci, worth) => board.arrow(uci, worth) });
const ending = new EndingPanel({
  open(wanted, rules = state.rules) {
    open(wanted, rules);
    scrollTo({ top: 0, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  },
});
const games = new GamesPanel({
  annotate: api.annotate,
  async save(file) {
    try {
      download(await api.annotated(file), "annotated.pgn");
    } catch (refused) {
      problem(refused);
    }
  },
  show({ start, moves: played, place }, rules) {
    stop();
    state.rules = rules;
    state.game = new Game(start);
    state.game.future(played);
    state.game.go(place);
    show();
  },
});
const editor = new Editor(board, {
  change: edit,
  async random(wanted, category, turn) {
    try {
      const found = await api.random(wanted, state.rules, category, turn);
      open(format(parse(found.fen)), state.rules);
    } catch (refused) {
      problem(refused);
    }
  },
}, position);

// What is shown.

/** Draws all that does not need the tables. */
function draw() {
  const shown = position();
  board.style(state.style, lettering());
  const known = state.doc && state.doc.answer.fen === fen() ? state.doc.answer.moves.map((move) => move.uci) : [];
  board.show(shown, known, state.game.last?.uci ?? null);
  board.arrow(null);
  drawControls();
  drawLine();
  drawFens();
  games.mark(state.game.fen);
}

function drawControls() {
  document.title = t("title");
  $("tagline").textContent = t("tagline");
  $("board-name").textContent = t("board");
  $("men-label").textContent = t("men");
  $("language-label").textContent = t("language");
  $("about").textContent = t("about");
  $("api").textContent = t("api");
  $("keys-name").textContent = t("keys");
  $("keys").textContent = t("keysHelp");
  $("men-style").replaceChildren(...[["thai", "menThai"], ["letters", "menLetters"], ["western", "menWestern"]].map(([value, key]) => {
    const option = el("option", { value }, t(key));
    option.selected = value === state.style;
    return option;
  }));
  $("language").replaceChildren(...Object.entries(languages).map(([value, name]) => {
    const option = el("option", { value, lang: value }, name);
    option.selected = value === currentLanguage();
    return option;
  }));
  const { game } = state;
  const button = (key, sign, act, off, label = "") => el("button", {
    type: "button", "aria-label": t(key), title: t(key), disabled: off, onclick: act, "data-do": key,
  }, sign, label ? ` ${label}` : "");
  const atEnd = game.place === game.moves.length;
  $("travel").replaceChildren(
    button("first", "«", () => go(0), game.place === 0),
    button("back", "‹", () => go(game.place - 1), game.place === 0),
    button("forward", "›", () => go(game.place + 1), atEnd),
    button("last", "»", () => go(game.moves.length), atEnd),
    button("best", "★", playBest, !state.doc?.answer.moves.length, t("best")),
    button(state.timer ? "playing" : "wholeLine", state.timer ? "■" : "▶", toggleLine, !state.timer && !state.doc?.answer.moves.length, t(state.timer ? "playing" : "wholeLine")),
  );
  $("tools").replaceChildren(
    el("button", { type: "button", "aria-pressed": String(board.editing), onclick: toggleEditor, "data-do": "setUp" }, t(board.editing ? "done" : "setUp")),
    el("button", { type: "button", onclick: flip, "data-do": "flip" }, t("flip")),
    el("button", { type: "button", onclick: () => games.open(), "data-do": "openGames" }, t("openGames")),
    el("label", {}, speechBox(), " ", t("aloud")),
  );
  editor.show(state.doc?.ending.material);
}

function speechBox() {
  const box = el("input", { type: "checkbox", disabled: !("speechSynthesis" in window), onchange: () => {
    state.aloud = box.checked;
    store.set("aloud", box.checked ? "yes" : "no");
  } });
  box.checked = state.aloud && !box.disabled;
  return box;
}

/** The moves of the game, each a button; the number said stands behind its move. */
function drawLine() {
  const { game } = state;
  const host = $("line");
  const items = numbered(game.start, game.moves, (move, head, i) => {
    const chosen = i + 1 === game.place;
    const button = el("button", { type: "button", "aria-current": chosen ? "true" : null, onclick: () => go(i + 1) }, move.san);
    const said = move.counted == null ? null : el("sup", { title: t("saidSoFar") }, String(move.counted));
    return el("span", { class: "ply" }, head ? el("span", { class: "number" }, `${head} `) : null, button, said);
  });
  const over = game.end && game.place === game.moves.length ? el("span", { class: "over" }, t(`ended-${game.end}`)) : null;
  host.replaceChildren(
    el("h2", {}, t("line")),
    game.moves.length ? el("p", { class: "plies" }, items, over) : el("p", { class: "quiet" }, t("lineEmpty")),
    game.moves.length ? el("p", {}, el("button", { type: "button", "data-do": "pgn", onclick: savePgn }, t("pgn"))) : el("span"),
  );
  const current = host.querySelector('[aria-current="true"]');
  const box = host.querySelector(".plies");
  if (current && box) box.scrollTop = current.offsetTop - box.offsetTop - box.clientHeight / 2;
}

function drawFens() {
  const now = position();
  const mine = lettering();
  const other = mine === "asean" ? "makruk" : "asean";
  const input = el("input", { id: "fen", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
  input.value = format(now, mine);
  const form = el("form", { onsubmit: (event) => {
    event.preventDefault();
    const read = parse(input.value);
    if (!read) problem(new Error(t("badFen")));
    else open(format(read), state.rules);
  } }, el("label", { for: "fen" }, t("fen")), input, copyButton(() => input.value));
  const otherFen = format(uncounted(now), other);
  const details = el("p", { class: "quiet other" }, `${t("fenOther", { lettering: other === "asean" ? "ASEAN (K R N B Q)" : "makruk (K R N S M)" })}: `,
    el("code", { id: "fen-other" }, otherFen), " ", copyButton(() => otherFen));
  $("fens").replaceChildren(form, details);
}

function copyButton(text) {
  const button = el("button", { type: "button", class: "small", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = t("copied");
    } catch {
      $("fen").select();
    }
  } }, t("copy"));
  return button;
}

/** Shows what the tables say, with a number said. */
function drawAnswer() {
  const { doc } = state;
  const said = saidIn(doc);
  count.show(doc, said);
  moves.show(doc, said);
  showVerdict(doc, said);
  showSets(doc, said, state.rules, choose);
}

/** The number that the position's FEN says, null if its count has not begun. */
function saidIn(doc) {
  const { limit, counted } = parse(doc.answer.fen);
  return limit === null || !doc.numbers ? null : Math.min(doc.numbers.to, Math.max(doc.numbers.from, Math.ceil(counted / 2)));
}

/** The same as the slider goes, from what is there already. */
function recolour(n) {
  const { doc } = state;
  if (!doc) return;
  moves.show(doc, n, false);
  showVerdict(doc, n);
  showSets(doc, n, state.rules, choose);
}

function problem(refused) {
  const host = $("problem");
  host.hidden = !refused;
  host.textContent = refused ? problemWords(refused) : "";
}

function problemWords(refused) {
  const material = /\b(K[RNSM]*vK[RNSM]*)\b/.exec(refused.message)?.[1];
  if (refused.kind === "missing-table" && material) return t("missingTable", { material });
  if (refused.kind === "file") return t("brokenTable");
  if (refused.kind === "offline" || refused instanceof TypeError) return t("offline");
  return refused.message;
}

/** The panels that the tables fill: as they were, waited for, or not there. */
function panels(how) {
  for (const id of ["count", "verdict", "sets", "moves", "ending"]) {
    $(id).classList.toggle("stale", how === "stale");
    $(id).classList.toggle("absent", how === "absent");
  }
}

function say(text) {
  $("said").textContent = text;
}

// What is asked.

/** Asks the tables about the position shown. */
async function ask(announce = true) {
  state.asking?.abort();
  const asking = new AbortController();
  state.asking = asking;
  const asked = fen();
  $("moves").setAttribute("aria-busy", "true");
  try {
    const doc = await api.explore(asked, state.rules, asking.signal);
    if (state.asking !== asking) return;
    state.doc = doc;
    problem(null);
    panels("shown");
    board.show(position(), doc.answer.moves.map((move) => move.uci), state.game.last?.uci ?? null);
    drawControls();
    drawAnswer();
    if (announce) say(`${state.game.last ? t("played", { move: state.game.last.san }) : ""} ${sentence(doc, saidIn(doc))}`);
    showFigures(doc);
  } catch (refused) {
    if (state.asking !== asking || refused.name === "AbortError") return;
    state.doc = null;
    problem(refused);
    board.show(position(), [], state.game.last?.uci ?? null);
    drawControls();
    panels("absent");
  } finally {
    if (state.asking === asking) $("moves").removeAttribute("aria-busy");
  }
}

async function showFigures(doc) {
  const { material } = doc.ending;
  try {
    if (!state.figures.has(material)) state.figures.set(material, await api.ending(material));
    if (state.doc === doc) ending.show(state.figures.get(material), doc, state.rules);
  } catch {
    state.figures.delete(material);
    ending.clear();
  }
}

// What is done.

/** Shows the position, and remembers it as a page of its own or in place of the one before. */
function show(how = "push") {
  const query = `?fen=${fen().replaceAll(" ", "_")}&rules=${state.rules}`;
  const { game } = state;
  const saved = { ...game.save(), end: game.end ?? null };
  if (how === "push" && location.search !== query) history.pushState(saved, "", query);
  else history.replaceState(saved, "", query);
  draw();
  return ask();
}

/** Another position, with a game of its own. */
function open(wanted, rules) {
  stop();
  state.rules = rules;
  state.game = new Game(wanted);
  show();
}

function edit(next) {
  state.game = new Game(format(uncounted(next)));
  board.picked = null;
  show("replace");
}

function choose(rules) {
  if (rules === state.rules) return;
  stop();
  // The number that was said is said under the other rules too, as far as they have one.
  const now = position();
  const there = state.doc?.rule_sets.find((set) => set.rules === rules);
  const limit = there?.count?.started ? there.count : null;
  state.rules = rules;
  const next = uncounted(now);
  if (limit && now.limit !== null) {
    next.limit = 2 * limit.limit;
    next.counted = Math.min(next.limit, now.counted);
  }
  state.game = new Game(format(next));
  show();
}

function setSaid(n) {
  const { doc, game } = state;
  const next = uncounted(position());
  if (n !== null) {
    next.limit = 2 * doc.numbers.limit;
    next.counted = doc.numbers.plies[n - doc.numbers.from];
  }
  const wanted = format(next);
  if (wanted === game.fen) return;
  game.amend(wanted);
  game.end = null;
  show("replace");
}

function play(uci) {
  const { doc, game } = state;
  const index = doc?.answer.moves.findIndex((move) => move.uci === uci) ?? -1;
  if (index < 0) return;
  stop();
  const move = doc.answer.moves[index];
  const details = doc.moves[index];
  game.end = game.moves[game.place]?.uci === uci ? game.end : null;
  game.play({ uci, san: move.san, counted: details.counted, fen: format(parse(details.fen)) });
  speak(details.counted);
  show();
}

function playBest() {
  const { doc, game } = state;
  if (game.place < game.moves.length && game.end) {
    go(game.place + 1);
    return;
  }
  const best = doc && ranked(doc, saidIn(doc))[0];
  if (best) play(best.uci);
}

function go(place) {
  if (!state.game.go(place)) return;
  speak(state.game.last?.counted);
  show();
}

/** Plays best play by both sides from here to the end, a move a second, from one request. */
async function toggleLine() {
  if (state.timer) {
    stop();
    drawControls();
    return;
  }
  const { game } = state;
  try {
    if (!(game.end && game.place < game.moves.length)) {
      const found = await api.line(fen(), state.rules);
      game.future(found.moves.map((move) => ({ uci: move.uci, san: move.san, counted: move.counted, fen: format(parse(move.fen)) })));
      game.end = found.end;
      game.result = found.result;
    }
  } catch (refused) {
    problem(refused);
    return;
  }
  const step = () => {
    if (!game.go(game.place + 1)) {
      stop();
      drawControls();
      return;
    }
    const last = game.place === game.moves.length;
    if (last) stop();
    speak(game.last.counted);
    // The moves in between are shown without asking about each.
    if (last) show();
    else {
      history.replaceState({ ...game.save(), end: game.end }, "");
      draw();
      panels("stale");
      say(`${game.last.san} ${game.last.counted ?? ""}`);
    }
  };
  state.timer = setInterval(step, matchMedia("(prefers-reduced-motion: reduce)").matches ? 1600 : 900);
  step();
}

function stop() {
  if (!state.timer) return;
  clearInterval(state.timer);
  state.timer = null;
  // What was passed over while playing.
  setTimeout(() => { if (!state.timer && state.doc?.answer.fen !== fen()) show("replace"); });
}

/** Says a number as the one who counts does. */
function speak(n) {
  if (!state.aloud || n == null || !("speechSynthesis" in window)) return;
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(String(n));
  words.lang = currentLanguage() === "th" ? "th-TH" : "en-GB";
  speechSynthesis.speak(words);
}

function flip() {
  board.flipped = !board.flipped;
  draw();
}

function toggleEditor() {
  stop();
  board.editing = !board.editing;
  board.letGo();
  $("board").classList.toggle("editing", board.editing);
  draw();
}

function savePgn() {
  const { game } = state;
  const answer = state.doc?.answer;
  const mate = answer?.checkmate ? (answer.side_to_move === "white" ? "0-1" : "1-0") : null;
  const result = mate ?? (game.end ? game.result ?? "1/2-1/2" : answer?.stalemate || answer?.insufficient_material ? "1/2-1/2" : "*");
  const letters = { ...game, start: format(parse(game.start), lettering()), moves: game.moves };
  download(pgn(letters, state.rules, result), "sakmak.pgn");
}

function download(text, name) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input[type=text], select, textarea")) return;
  const onControl = event.target.closest("button, input, a, summary");
  const { game } = state;
  const acts = {
    " ": onControl ? null : playBest,
    ArrowLeft: () => go(game.place - 1),
    ArrowRight: () => go(game.place + 1),
    Home: () => go(0),
    End: () => go(game.moves.length),
    f: flip,
    e: toggleEditor,
    x: () => edit(swapped(position())),
    "+": () => count.step(1),
    "=": () => count.step(1),
    "-": () => count.step(-1),
    Escape: () => {
      stop();
      board.letGo();
      drawControls();
    },
  };
  const act = acts[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

addEventListener("popstate", (event) => load(event.state));
addEventListener("beforeprint", () => board.arrow(null));
$("home").addEventListener("click", (event) => {
  event.preventDefault();
  open(START, "makruk");
});
$("language").addEventListener("change", (event) => {
  store.set("language", event.target.value);
  setLanguage(event.target.value);
  draw();
  games.show();
  if (state.doc) {
    drawAnswer();
    showFigures(state.doc);
  }
});
$("men-style").addEventListener("change", (event) => {
  state.style = event.target.value;
  store.set("men", state.style);
  draw();
});

/** Shows what the address says, with the game that was played there. */
function load(saved) {
  const query = new URLSearchParams(location.search);
  const rules = (query.get("rules") ?? "makruk").toLowerCase();
  state.rules = rules === "cambodian" ? "ouk" : RULES.includes(rules) ? rules : "makruk";
  const asked = query.get("fen");
  const read = asked === null ? parse(START) : parse(asked);
  if (saved?.start && saved.moves) {
    state.game = Game.restore(saved);
    state.game.end = saved.end;
  } else if (read) state.game = new Game(format(read));
  if (!read) {
    draw();
    problem(new Error(t("badFen")));
    return;
  }
  draw();
  ask(false);
}

setLanguage(new URLSearchParams(location.search).get("lang") ?? store.get("language"));
document.querySelector(".logo").prepend(logoDefs());
api.endings().then((found) => {
  editor.endings = found.endings.map((one) => one.material);
  editor.show(state.doc?.ending.material);
}).catch(() => {});
games.show();
load(history.state);

/** The logo's own khun, so that it stays when the men change. */
function logoDefs() {
  const defs = svg("defs");
  defs.innerHTML = symbols("thai", "makruk").replaceAll("man-", "logo-");
  document.querySelector(".logo use").setAttribute("href", "#logo-K");
  return defs;
}
