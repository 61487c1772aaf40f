// A proxy between the browser and a server: answers are delayed, dropped or replaced as a test requires.
"use strict";
const http = require("node:http");

/** Fetches an address; resolves to the status, the headers and the bytes. */
function get(url, { method = "GET", headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part)).on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(parts) }));
    });
    request.on("error", reject).end(body);
  });
}

/**
 * A server on a free port that passes everything on. It can be changed at any time: `target` is the address behind it;
 * `delay()` gives the milliseconds before an answer; with `down` it closes every connection; `answer(url)` may return
 * `{ status, text, cut, kept }` to replace an answer, cut it short, or let the browser keep it; `page(html)` rewrites
 * the page.
 * behind: cut short, or to be kept by the browser; `page(html)`, which makes another page of the one behind.
 */
async function proxy(target) {
  const self = { target, delay: () => 0, down: false, answer: () => null, page: null, asked: [], sent: 0 };
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part)).on("end", async () => {
      self.asked.push(request.url);
      await new Promise((resolve) => setTimeout(resolve, self.delay(request.url)));
      if (self.down) {
        request.socket.destroy();
        return;
      }
      const own = self.answer(request.url);
      if (own) {
        const bytes = Buffer.from(own.text);
        const cache = own.kept ? "public, max-age=86400" : "no-store";
        response.writeHead(own.status ?? 200, { "Content-Type": "application/json", "Cache-Control": cache, "Content-Length": bytes.length + (own.cut ?? 0) });
        response.write(bytes);
        if (own.cut) setTimeout(() => request.socket.destroy(), 20);
        else response.end();
        return;
      }
      try {
        // Each request has its own connection, so that none outlives the server.
        const { host, connection, ...headers } = request.headers;
        const rewrites = self.page !== null && request.url.split("?")[0] === "/";
        if (rewrites) for (const name of ["accept-encoding", "if-none-match"]) delete headers[name];
        let { status, headers: said, bytes } = await get(new URL(request.url, self.target), { method: request.method, headers, body: Buffer.concat(parts) });
        if (rewrites) {
          bytes = Buffer.from(self.page(bytes.toString()));
          delete said.etag;
        }
        for (const name of ["transfer-encoding", "connection", "content-length"]) delete said[name];
        self.sent += bytes.length;
        response.writeHead(status, { ...said, "Content-Length": bytes.length }).end(bytes);
      } catch {
        request.socket.destroy();
      }
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  self.address = `http://127.0.0.1:${server.address().port}/`;
  self.close = () => server.close();
  return self;
}

module.exports = { get, proxy };
