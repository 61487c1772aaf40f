// The source of answers where the page is served as plain files: the reader in WebAssembly.

import { ask, tables } from "./reader.js";

/** Answers a path with its query, as a server does. */
export const answer = (path, query, { signal }, body) => ask(path, query, signal, body);

/** The largest number of bytes of tables that are kept for offline use. */
const MOST_KEPT = 8 << 20;

/** Makes the browser keep the page and the smaller tables, so that it works offline. */
export async function keepOffline() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("sw.js");
    const { active } = await navigator.serviceWorker.ready;
    if (navigator.connection?.saveData) return;
    let kept = 0;
    const fits = ({ bytes }) => (kept += bytes) <= MOST_KEPT;
    const urls = [...await tables()].sort((a, b) => a.bytes - b.bytes).filter(fits).map(({ url }) => url);
    active.postMessage({ keep: urls });
  } catch { /* It is a convenience. */ }
}
