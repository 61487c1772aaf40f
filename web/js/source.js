// Where answers come from: a server, over HTTP.

/** Answers a path with its query. `again` asks the server itself, not what the browser has kept of it. */
export async function answer(path, query, { signal, again }, body) {
  const method = body === undefined ? "GET" : "POST";
  const cache = again ? "reload" : "default";
  const response = await fetch(`.${path}${query ? `?${query}` : ""}`, { signal, method, body, cache });
  return { status: response.status, text: await response.text() };
}

/** Nothing is kept for a time without the server. */
export function keepOffline() {}
