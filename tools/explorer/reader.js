// The reader in WebAssembly of a static site, under node.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

/** A reader of the site's directory; `work` is for a copy of its module. `sent` records its reads. */
async function reader(site, work) {
  const sent = [];
  const get = async (url, { headers } = {}) => {
    const name = url.pathname.slice(1);
    const bytes = fs.readFileSync(path.join(site, name));
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers?.Range ?? "");
    const [from, end] = range ? [Number(range[1]), Number(range[2]) + 1] : [0, bytes.length];
    sent.push({ name, from, end });
    return new Response(bytes.subarray(from, end), { status: range ? 206 : 200 });
  };
  // Node recognises a module by its file name.
  fs.copyFileSync(path.join(__dirname, "../../explorer/web/site/reader.js"), path.join(work, "reader.mjs"));
  const { start } = await import(path.resolve(work, "reader.mjs"));
  const { ask } = await start(new URL("file:///"), get);
  return { ask, sent };
}

module.exports = { reader };
