// Keeps the page for offline use: its files from the first visit on, and the tables that the page names, whole.
// Requests for a part of a kept table are answered from that table.

const VERSION = "development";
const CACHE = `sakmak-${VERSION}`;
const FILES = ["./", "page.js", "style.css", "icon.svg", "manifest.webmanifest", "sakmak.wasm", "v1/manifest.json", "v1/endings.json"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("sakmak-") && name !== CACHE;
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (Array.isArray(event.data?.keep)) event.waitUntil(keep(event.data.keep));
});

/** Stores whole files for offline use, one after another. */
async function keep(urls) {
  const cache = await caches.open(CACHE);
  for (const url of urls) {
    if (await cache.match(url)) continue;
    try {
      await cache.add(url);
    } catch { /* There is no network any more, or no space. */ }
  }
}

/** The part of a stored response that a request asks for. */
async function part(response, range) {
  const found = /^bytes=(\d+)-(\d+)$/.exec(range);
  if (!found) return response;
  const bytes = await response.arrayBuffer();
  const [from, end] = [Number(found[1]), Math.min(bytes.byteLength, Number(found[2]) + 1)];
  const headers = { "Content-Type": "application/octet-stream", "Content-Range": `bytes ${from}-${end - 1}/${bytes.byteLength}` };
  return new Response(bytes.slice(from, end), { status: 206, headers });
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const range = request.headers.get("Range");
  const { pathname } = new URL(request.url);
  // The explorer is one page for every position that its address may name. The pages about endings are separate files.
  const isExplorer = request.mode === "navigate" && !pathname.includes("/endings/");
  const kept = await cache.match(isExplorer ? "./" : request.url);
  if (kept) return range ? part(kept, range) : kept;
  const response = await fetch(request);
  if (response.status === 200 && !range && /\/(v1|endings)\//.test(pathname)) await cache.put(request.url, response.clone());
  return response;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(self.registration.scope)) event.respondWith(answer(request));
});
