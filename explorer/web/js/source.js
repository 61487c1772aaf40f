// The source of answers: a server, over HTTP.

/** Answers a path with its query. `again` bypasses the browser's cache. */
export async function answer(path, query, { signal, again }, body) {
  const method = body === undefined ? "GET" : "POST";
  const cache = again ? "reload" : "default";
  const response = await fetch(`.${path}${query ? `?${query}` : ""}`, { signal, method, body, cache });
  return { status: response.status, text: await response.text() };
}

/** Without a server nothing can be kept for offline use. */
export function keepOffline() {}
