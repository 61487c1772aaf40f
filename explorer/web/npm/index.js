// Asks the reader in WebAssembly, and fetches each part of a table that it lacks, once.

const isNode = typeof process !== "undefined" && Boolean(process.versions?.node);

/** The error for an answer whose status is not 200. */
export class SakmakError extends Error {
  constructor(status, { kind, message }) {
    super(message);
    this.name = "SakmakError";
    this.status = status;
    this.kind = kind;
  }
}

/** Fetches a file, or a range of its bytes; null if there is no such file. */
async function read(url, from, end) {
  if (url.protocol === "file:") return readFile(url, from, end);
  const headers = end === undefined ? {} : { Range: `bytes=${from}-${end - 1}` };
  const response = await fetch(url, { headers });
  if (response.status === 404) return null;
  if (!response.ok) throw new TypeError(`${url} cannot be fetched (${response.status})`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { bytes, isRange: response.status === 206 };
}

async function readFile(url, from, end) {
  const { open } = await import("node:fs/promises");
  let file;
  try {
    file = await open(url);
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
  try {
    if (end === undefined) return { bytes: new Uint8Array(await file.readFile()), isRange: false };
    const { bytesRead, buffer } = await file.read(new Uint8Array(end - from), 0, end - from, from);
    return { bytes: buffer.subarray(0, bytesRead), isRange: true };
  } finally {
    await file.close();
  }
}

/** The address of a directory. Also accepts addresses relative to the page and, under Node, paths. */
async function directory(of) {
  const text = String(of);
  const withSlash = text.endsWith("/") ? text : `${text}/`;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return new URL(withSlash);
  if (isNode) {
    const { pathToFileURL } = await import("node:url");
    return pathToFileURL(withSlash);
  }
  return new URL(withSlash, globalThis.location?.href);
}

/** The contents of a directory or a server: its tables by the names of their endings, and the location of the files. */
async function listing(base) {
  for (const [name, folder] of [["manifest.json", "./"], ["v1/manifest.json", "tables/"]]) {
    const found = await read(new URL(name, base));
    if (!found) continue;
    const manifest = JSON.parse(new TextDecoder().decode(found.bytes));
    if (manifest.version > 1) throw new TypeError(`${name} has version ${manifest.version}, but this reader knows version 1: update sakmak`);
    const at = ([material, { file, url, bytes }], extension) => ({
      material,
      name: extension === "skm" ? material : `${material}.${extension}`,
      url: url ? new URL(url, base) : new URL(folder + (file ?? `${material}.${extension}`), base),
      bytes,
    });
    // Verdict tables answer only where distances are missing.
    const alone = Object.entries(manifest.verdict_tables ?? {}).filter(([material]) => !manifest.tables[material]);
    return [
      ...Object.entries(manifest.tables).map((entry) => at(entry, "skm")),
      ...alone.map((entry) => at(entry, "skv")),
    ];
  }
  throw new TypeError(`there is neither manifest.json nor v1/manifest.json at ${base}`);
}

/** Opens a directory of tables: an address or, under Node, a path. */
export async function open(where, { wasm: code } = {}) {
  const base = await directory(where);
  code ??= (await read(new URL("./sakmak.wasm", import.meta.url))).bytes;
  const [{ instance: { exports: wasm } }, listed] = await Promise.all([
    WebAssembly.instantiate(code),
    listing(base),
  ]);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();

  function write(bytes) {
    // Allocate first, since that may move the memory.
    const place = wasm.input(bytes.length);
    new Uint8Array(wasm.memory.buffer, place, bytes.length).set(bytes);
  }

  const tables = [];
  for (const table of listed) {
    write(encoder.encode(table.name));
    const number = wasm.add(table.bytes);
    if (number >= 0) tables[number] = table;
  }

  async function fetchRange([number, from, end]) {
    const { url, bytes: length } = tables[number];
    const found = await read(url, from, end);
    if (!found) throw new TypeError(`${url} is listed, but is not there`);
    const { bytes, isRange } = found;
    // A server without ranges sends the whole table, which serves as well.
    if (bytes.length !== (isRange ? end - from : length)) throw new TypeError(`${url} has other bytes than were asked for`);
    write(bytes);
    wasm.give(number, isRange ? from : 0);
  }

  async function answer(path, query, body) {
    const question = encoder.encode(`${path}\n${query}\n${body}`);
    for (let round = 0; ; round += 1) {
      write(question);
      const status = wasm.ask(round);
      const text = decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.output(), wasm.output_length()));
      if (status === 200) return text;
      if (status) throw new SakmakError(status, JSON.parse(text).error);
      // Wait for all of them, even if one fails: a part on its way must not be fetched again.
      const fetches = await Promise.allSettled(JSON.parse(text).map(fetchRange));
      const failed = fetches.find(({ status: how }) => how === "rejected");
      if (failed) throw failed.reason;
    }
  }

  // Questions are answered one at a time, for the same reason.
  let last = Promise.resolve();
  function ask(path, options, body = "") {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    const mine = last.then(() => answer(path, query, body));
    last = mine.catch(() => {});
    return mine;
  }
  const document = async (path, options) => JSON.parse(await ask(path, options));

  return {
    materials: tables.filter(({ name, material }) => name === material).map(({ material }) => material),
    probe: (fen, options = {}) => document("/v1/probe", { ...options, fen }),
    line: (fen, options = {}) => document("/v1/line", { ...options, fen }),
    ask,
  };
}
