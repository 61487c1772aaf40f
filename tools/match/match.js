// Plays engines with and without the tables. The arbiter is ffish, which knows the count: a draw that can be claimed
// ends the game. See `run` for the arguments.
"use strict";

const ffish = require("../crosscheck/node_modules/ffish");
const { Engine } = require("./uci.js");
const { fromPositions, opening, play, VARIANT } = require("./play.js");
const { draw, probe } = require("./positions.js");
const { parse } = require("../settings.js");

const defaults = {
  sakmak: "sakmak",
  tables: "tables",
  engine: "fairy-stockfish",
  // The engine with the tables compiled in, if given.
  inside: "",
  endings: "KRvKN,KSMvK,KNSvK,KRMvK,KRvKM",
  alone: 2,
  positions: 2,
  games: 2,
  nodes: 2000,
  seed: 1,
};
// Whole games, in which the engine with the tables has either colour in turn.
async function wholeGames(filter, plain, settings, go) {
  const sum = { win: 0, draw: 0, loss: 0, tabled: 0, thrown: 0 };
  for (let i = 0; i < settings.games; i += 1) {
    const mine = i % 2 ? "b" : "w";
    const players = { [mine]: filter, [mine === "w" ? "b" : "w"]: plain };
    // Random moves first, so that no two games are the same.
    const game = await play(players, opening(i + settings.seed * 1000), go);
    if (game.illegal) throw new Error(game.illegal);
    const won = mine === "w" ? "1-0" : "0-1";
    if (game.result === won) sum.win += 1;
    else if (game.result === "1/2-1/2") sum.draw += 1;
    else sum.loss += 1;
    const few = game.fens.filter(([turn, fen]) => turn === mine && isFew(fen)).map(([, fen]) => fen);
    if (few.length === 0) continue;
    const wins = probe(settings.sakmak, settings.tables, few).map((answer) => answer.category === "win");
    if (wins.some(Boolean)) {
      sum.tabled += 1;
      const thrown = game.result !== won;
      sum.thrown += thrown ? 1 : 0;
      if (thrown) console.error(`thrown away: ${few[wins.indexOf(true)]}: ${game.moves.join(" ")}`);
    }
  }
  console.log(
    `whole games, with the tables against without: ${sum.win} won, ${sum.draw} drawn, ${sum.loss} lost;` +
      ` ${sum.tabled} with a position won in the tables, ${sum.thrown} of them not won`,
  );
  return sum.thrown;
}

function isFew(fen) {
  const men = fen.split(" ")[0].replace(/[^a-z]/gi, "");
  return men.length <= 5 && !/p/i.test(men);
}

async function main() {
  const settings = parse(process.argv.slice(2), defaults);
  const { sakmak, tables, engine, inside, nodes, seed } = settings;
  const endings = settings.endings.split(",");
  const go = `go nodes ${nodes}`;
  const options = { UCI_Variant: VARIANT };
  const alone = new Engine("sakmak uci", [sakmak, "uci", "--tables", tables]);
  const filter = new Engine("the filter", [sakmak, "uci", "--tables", tables, "--engine", engine]);
  const plain = new Engine("the engine", [engine]);
  const other = new Engine("its opponent", [engine]);
  const engines = [alone, filter, plain, other];
  for (const player of engines) await player.start(options);
  const tabled = inside && new Engine("the engine with the tables inside", [inside]);
  if (tabled) {
    engines.push(tabled);
    await tabled.start({ ...options, SakmakPath: tables });
  }
  const won = (x) => x;
  const held = (x) => !x;
  let failed = 0;
  const must = (tally) => {
    failed += tally.faults.length;
    for (const fault of tally.faults.slice(0, 5)) console.error(`${tally.title}: ${fault}`);
  };
  const pick = (number, kind) => draw(sakmak, tables, endings, Math.ceil(number / endings.length), kind, seed);
  if (settings.alone > 0) {
    const [wins, draws] = [pick(settings.alone, "win"), pick(settings.alone, "draw")];
    must(await fromPositions("sakmak uci, wins converted", wins, alone, other, go, won));
    must(await fromPositions("sakmak uci, draws held", draws, other, alone, go, held));
  }
  if (settings.positions > 0) {
    const [wins, draws] = [pick(settings.positions, "win"), pick(settings.positions, "draw")];
    await fromPositions("the engine, wins converted", wins, plain, other, go, won);
    must(await fromPositions("with the tables before it, wins converted", wins, filter, other, go, won));
    await fromPositions("the engine, draws held", draws, other, plain, go, held);
    must(await fromPositions("with the tables before it, draws held", draws, other, filter, go, held));
    if (tabled) {
      must(await fromPositions("with the tables inside, wins converted", wins, tabled, other, go, won));
      must(await fromPositions("with the tables inside, draws held", draws, other, tabled, go, held));
    }
  }
  if (settings.games > 0) failed += await wholeGames(filter, other, settings, go);
  for (const player of engines) player.quit();
  process.exitCode = failed === 0 ? 0 : 1;
}

ffish.onRuntimeInitialized = () =>
  main().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
