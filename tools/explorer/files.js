// A plain web server of a directory, with single ranges. `sent` records the responses.
"use strict";
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");

const TYPES = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** Serves a directory on a free port. Resolves to the server, its address and its record of responses. */
function serve(directory) {
  const sent = [];
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = path.normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname).slice(1);
    fs.readFile(path.join(directory, name), (error, bytes) => {
      if (error) {
        response.writeHead(404).end();
        sent.push({ name, status: 404 });
        return;
      }
      const type = TYPES[path.extname(name)] ?? "application/octet-stream";
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
      const [from, end] = range ? [Number(range[1]), Math.min(bytes.length, Number(range[2]) + 1)] : [0, bytes.length];
      sent.push({ name, status: range ? 206 : 200, from, end });
      const headers = { "Content-Type": type, "Accept-Ranges": "bytes", "Content-Length": end - from };
      if (range) headers["Content-Range"] = `bytes ${from}-${end - 1}/${bytes.length}`;
      response.writeHead(range ? 206 : 200, headers).end(bytes.subarray(from, end));
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => {
    resolve({ server, sent, address: `http://127.0.0.1:${server.address().port}/` });
  }));
}

module.exports = { serve };
