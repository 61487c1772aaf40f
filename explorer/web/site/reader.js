// Answers in place of a server, where the page is served as plain files: asks the reader in WebAssembly, and fetches
// each part of a table that it lacks, once.

const missing = (material) => ({
  status: 404,
  text: `${JSON.stringify({ error: { kind: "missing-table", message: `there is no table of ${material} here: ask for an ending that /v1/endings lists` } })}\n`,
});

/** A reader of the site at an address: `ask`, and the files of its `tables`. `get` fetches, by default the
 * browser's. */
export async function start(base, get = (url, options) => fetch(url, options)) {
  async function fetched(name, options) {
    const response = await get(new URL(name, base), options);
    if (!response.ok) throw new TypeError(`${name} cannot be fetched (${response.status})`);
    return response;
  }
  const manifest = await (await fetched("v1/manifest.json")).json();
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  // Verdict tables answer only where distances are missing.
  const alone = Object.entries(manifest.verdict_tables ?? {}).filter(([material]) => !manifest.tables[material]);
  const readable = [...Object.entries(manifest.tables), ...alone.map(([material, table]) => [`${material}.skv`, table])];
  const tables = [];
  let wasm = null;

  function write(bytes) {
    // Allocate first, since that may move the memory.
    const place = wasm.input(bytes.length);
    new Uint8Array(wasm.memory.buffer, place, bytes.length).set(bytes);
  }

  /** The module is the largest part of a first visit: it is fetched when a question is not answered by the page
   * itself. */
  async function load() {
    const code = await (await fetched("sakmak.wasm")).arrayBuffer();
    ({ instance: { exports: wasm } } = await WebAssembly.instantiate(code));
    for (const [name, table] of readable) {
      write(encoder.encode(name));
      const number = wasm.add(table.bytes);
      if (number >= 0) tables[number] = table;
    }
  }

  async function fetchRange([number, from, end]) {
    const { url, bytes: length } = tables[number];
    const response = await fetched(url, { headers: { Range: `bytes=${from}-${end - 1}` } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    // A server without ranges sends the whole table, which serves as well.
    const whole = response.status !== 206;
    if (bytes.length !== (whole ? length : end - from)) throw new TypeError(`${url} has other bytes than were asked for`);
    write(bytes);
    wasm.give(number, whole ? 0 : from);
  }

  async function answer(question, signal) {
    if (!wasm) await load();
    for (let round = 0; ; round += 1) {
      signal?.throwIfAborted();
      write(question);
      const status = wasm.ask(round);
      const text = decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.output(), wasm.output_length()));
      if (status) return { status, text };
      // Wait for all of them, even if one fails: a part on its way must not be fetched again.
      const fetches = await Promise.allSettled(JSON.parse(text).map(fetchRange));
      const failed = fetches.find(({ status: how }) => how === "rejected");
      if (failed) throw failed.reason;
    }
  }

  // Questions are answered one at a time, for the same reason.
  let last = Promise.resolve();
  async function ask(path, query, signal, body = "") {
    const figures = /^\/v1\/endings(?:\/(\w+))?$/.exec(path);
    if (figures) {
      if (figures[1] && !manifest.tables[figures[1]]) return missing(figures[1]);
      return { status: 200, text: await (await fetched(`.${path}.json`, { signal })).text() };
    }
    if (path === "/v1/puzzles") {
      const asked = new URLSearchParams(query);
      const ending = asked.get("ending");
      if (!manifest.tables[ending]) return missing(ending);
      return { status: 200, text: await (await fetched(`v1/puzzles/${[ending, asked.get("rules") ?? "makruk", asked.get("theme")].filter(Boolean).join(".")}.json`, { signal })).text() };
    }
    const bytes = typeof body === "string" ? encoder.encode(body) : new Uint8Array(await new Response(body).arrayBuffer());
    const head = encoder.encode(`${path}\n${query}\n`);
    const question = new Uint8Array(head.length + bytes.length);
    question.set(head);
    question.set(bytes, head.length);
    const mine = last.then(() => answer(question, signal));
    last = mine.catch(() => {});
    return mine;
  }
  return { ask, tables: readable.map(([, table]) => table) };
}

let started = null;

async function theReader() {
  started ??= start(document.baseURI);
  try {
    return await started;
  } catch (error) {
    // The next question tries again.
    started = null;
    throw error;
  }
}

/** Answers a path with its query, for the page. */
export async function ask(path, query, signal, body) {
  return (await theReader()).ask(path, query, signal, body);
}

/** The files of the tables, with their addresses and lengths. */
export const tables = async () => (await theReader()).tables;
