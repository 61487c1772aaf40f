// A file of games in parts that the server accepts, and their answers as one.

/** The largest part of a file with several games, in characters. So few characters hold fewer moves than the server allows. */
const MOST_LETTERS = 48 << 10;

/** The text of a file: UTF-8 or, as old programs write, Latin-1. */
async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

/**
 * The parts of a file, each with the numbers of lines and games before it. A part begins at the tags of a game, after a
 * blank line; a short file is one part.
 */
async function partsOf(file) {
  if (file.size <= MOST_LETTERS) return [{ body: file, lines: 0, games: 0 }];
  const games = (await textOf(file)).split(/(?<=\n[ \t\r]*\n)(?=\[[A-Za-z]\w* ")/);
  const parts = [];
  let lines = 0;
  games.forEach((text, i) => {
    const last = parts.at(-1);
    if (last && last.body.length + text.length <= MOST_LETTERS) last.body += text;
    else parts.push({ body: text, lines, games: i });
    lines += text.split("\n").length - 1;
  });
  return parts;
}

/** True if a refusal is about the games, not about the server. */
const isAboutGames = (refused) => refused.kind === "input" || refused.kind === "too-large";

/** The documents of the games of a file. `ask` returns those of a part; a part without a readable game becomes one document. */
export async function documentsOf(file, ask) {
  const parts = await partsOf(file);
  const documents = [];
  for (const { body, lines } of parts) {
    try {
      for (const game of await ask(body)) {
        if (game.line) game.line += lines;
        if (game.error?.line) game.error.line += lines;
        documents.push(game);
      }
    } catch (refused) {
      if (parts.length === 1 || !isAboutGames(refused)) throw refused;
      documents.push({ line: lines + 1, error: { kind: refused.kind, message: refused.message } });
    }
  }
  return documents;
}

/** The games of a file as a PGN with comments. `ask` returns that of a part. */
export async function pgnOf(file, ask) {
  const parts = await partsOf(file);
  let text = "";
  for (const { body, lines, games } of parts) {
    try {
      const place = (_, game, line) => `% game ${Number(game) + games} (line ${Number(line) + lines})`;
      text += (await ask(body)).replace(/^% game (\d+) \(line (\d+)\)/gm, place);
    } catch (refused) {
      if (parts.length === 1 || !isAboutGames(refused)) throw refused;
      text += `% game ${games + 1} (line ${lines + 1}): ${refused.message}\n\n`;
    }
  }
  return text;
}
