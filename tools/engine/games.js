// Games of an engine with the tables compiled in against the same engine without them.
"use strict";

const ffish = require("../crosscheck/node_modules/ffish");
const { fromPositions, play, VARIANT } = require("../match/play.js");
const { draw, place, random } = require("../match/positions.js");
const { Engine } = require("../match/uci.js");
const { parse } = require("../settings.js");

const defaults = {
  engine: "stockfish",
  sakmak: "sakmak",
  tables: "tables",
  // Won positions of these endings, converted with so many nodes per move.
  endings: "KRvKN,KRvKM,KNMvK",
  wins: 0,
  nodes: 20000,
  // The defender: `tables` resists as long as possible, as the tables say; `engine` searches.
  defence: "tables",
  // Games with a clock from positions of these endings, each played with either colour.
  men: "KRNMvKRM,KRSMvKNM",
  games: 0,
  base: 2000,
  increment: 50,
  cache: 256,
  threads: 1,
  seed: 1,
};

async function atEqualTime(withTables, without, settings) {
  const { base, increment } = settings;
  const next = random(settings.seed);
  const men = settings.men.split(",");
  const sum = { won: 0, drawn: 0, lost: 0, overstepped: { withTables: 0, without: 0 } };
  let fen;
  for (let i = 0; i < settings.games; i += 1) {
    if (i % 2 === 0) fen = randomPosition(next, men[(i / 2) % men.length]);
    const players = i % 2 ? { w: without, b: withTables } : { w: withTables, b: without };
    const game = await play(players, fen, { base, increment });
    if (game.illegal) throw new Error(game.illegal);
    if (game.overstepped) sum.overstepped[game.overstepped === withTables ? "withTables" : "without"] += 1;
    if (game.result === (i % 2 ? "0-1" : "1-0")) sum.won += 1;
    else if (game.result === "1/2-1/2") sum.drawn += 1;
    else sum.lost += 1;
  }
  console.log(
    `at equal time, ${base} + ${increment} ms, with the tables against without: ${sum.won} won, ${sum.drawn} drawn,` +
      ` ${sum.lost} lost; the clock overstepped ${sum.overstepped.withTables} and ${sum.overstepped.without} times`,
  );
}

// A position with these men and no count yet, in which neither side would be in check or without a move.
function randomPosition(next, men) {
  for (;;) {
    const placed = place(next, men);
    if (!placed) continue;
    const boards = ["w", "b"].map((turn) => new ffish.Board(VARIANT, `${placed.board} ${turn} - - 0 1`));
    const quiet = boards.every((board) => !board.isCheck() && board.legalMoves() !== "");
    for (const board of boards) board.delete();
    if (quiet) return `${placed.board} ${placed.turn} - - 0 1`;
  }
}

async function main() {
  const settings = parse(process.argv.slice(2), defaults);
  const { sakmak, tables, engine, nodes, seed, threads } = settings;
  const probing = { SakmakPath: tables, SakmakCache: settings.cache };
  const common = { UCI_Variant: VARIANT, Threads: threads };
  const withTables = new Engine("with the tables", [engine]);
  const without = new Engine("without", [engine]);
  const perfect = settings.defence === "tables";
  const other = new Engine("its opponent", perfect ? [sakmak, "uci", "--tables", tables] : [engine]);
  await withTables.start({ ...common, ...probing });
  await without.start(common);
  await other.start(perfect ? { UCI_Variant: VARIANT } : common);
  let failed = 0;
  if (settings.wins > 0) {
    const endings = settings.endings.split(",");
    const wins = draw(sakmak, tables, endings, Math.ceil(settings.wins / endings.length), "win", seed);
    const go = `go nodes ${nodes}`;
    const isWon = (won) => won;
    await fromPositions("without the tables, wins converted", wins, without, other, go, isWon);
    const tally = await fromPositions("with the tables, wins converted", wins, withTables, other, go, isWon);
    for (const fault of tally.faults.slice(0, 5)) console.error(fault);
    failed = tally.faults.length;
  }
  if (settings.games > 0) await atEqualTime(withTables, without, settings);
  for (const player of [withTables, without, other]) player.quit();
  process.exitCode = failed === 0 ? 0 : 1;
}

ffish.onRuntimeInitialized = () =>
  main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
