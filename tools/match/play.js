// A game between two UCI engines, with ffish as the arbiter that knows the count, and a tally of games.
"use strict";

const ffish = require("../crosscheck/node_modules/ffish");

const VARIANT = "makruk";
const MOST_PLIES = 600;

// Plays one game to its end, from a FEN or from the moves of an opening. Returns the winner, or the error. `go` is a command for the engines or, as { base,
// increment } in milliseconds, a clock for each; an engine that oversteps its time loses. `adjudicate` may end the game
// with a result after a move: it gets the side that moved and the engine's score.
async function play(players, start, go, { variant = VARIANT, adjudicate = () => null } = {}) {
  const board = new ffish.Board(variant);
  const moves = Array.isArray(start) ? [...start] : [];
  const place = Array.isArray(start) ? "startpos" : `fen ${start}`;
  if (!Array.isArray(start)) board.setFen(start);
  for (const move of moves) board.push(move);
  const fens = [];
  const clocks = { w: go.base, b: go.base };
  try {
    for (const player of Object.values(players)) await player.newGame();
    while (!board.isGameOver(true) && moves.length < MOST_PLIES) {
      const turn = board.turn() ? "w" : "b";
      const position = `position ${place}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
      const { increment } = go;
      const command = go.base
        ? `go wtime ${Math.round(clocks.w)} btime ${Math.round(clocks.b)} winc ${increment} binc ${increment}`
        : go;
      const started = performance.now();
      const move = await players[turn].move(position, command);
      clocks[turn] -= performance.now() - started;
      if (clocks[turn] < 0) {
        return { result: turn === "w" ? "0-1" : "1-0", overstepped: players[turn], moves, fens, last: board.fen() };
      }
      clocks[turn] += increment;
      if (!board.legalMoves().split(" ").includes(move)) {
        return { illegal: `${players[turn].name} plays ${move} in ${board.fen()}`, moves, fens, last: board.fen() };
      }
      fens.push([turn, board.fen()]);
      board.push(move);
      moves.push(move);
      const adjudicated = board.isGameOver(true) ? null : adjudicate(turn, players[turn].score);
      if (adjudicated) return { result: adjudicated, adjudicated: true, moves, fens, last: board.fen() };
    }
    return { result: moves.length < MOST_PLIES ? board.result(true) : "1/2-1/2", moves, fens, last: board.fen() };
  } finally {
    board.delete();
  }
}

// Some random moves from the starting position. Moves rather than a FEN, since engines differ in how they read the rights
// of ouk's kings and mets to leap.
function opening(seed, variant = VARIANT) {
  const board = new ffish.Board(variant);
  const played = [];
  let state = seed + 1;
  for (let i = 0; i < 6; i += 1) {
    const moves = board.legalMoves().split(" ");
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const move = moves[(state >>> 8) % moves.length];
    board.push(move);
    played.push(move);
  }
  board.delete();
  return played;
}

class Tally {
  constructor(title) {
    this.title = title;
    this.games = 0;
    this.good = 0;
    this.faults = [];
    this.byEnding = {};
  }

  add(ending, good, what) {
    this.games += 1;
    this.good += good ? 1 : 0;
    const row = (this.byEnding[ending] ??= [0, 0]);
    row[0] += good ? 1 : 0;
    row[1] += 1;
    if (!good) this.faults.push(what);
  }

  print() {
    const rows = Object.entries(this.byEnding).map(([ending, [good, all]]) => `${ending} ${good}/${all}`);
    console.log(`${this.title}: ${this.good} of ${this.games} (${rows.join(", ")})`);
  }
}

async function fromPositions(title, positions, attacker, defender, go, isGood) {
  const tally = new Tally(title);
  for (const { fen, stronger, ending, category } of positions) {
    const players = stronger === "w" ? { w: attacker, b: defender } : { w: defender, b: attacker };
    const game = await play(players, fen, go);
    if (game.illegal) throw new Error(game.illegal);
    const won = game.result === (stronger === "w" ? "1-0" : "0-1");
    tally.add(ending, isGood(won), `${category} ${fen}: ${game.result} ${game.moves.join(" ")}`);
  }
  tally.print();
  return tally;
}

module.exports = { fromPositions, opening, play, VARIANT };
