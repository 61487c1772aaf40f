// How soon the first verdict is there, at three latencies, with the server and as static files; and how many
// requests and bytes that takes. Requests and bytes have limits, times are only told: they are the machine's.
// Arguments: the browser, a directory for profiles, the server's address, the site's directory.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");
const { open } = require("./browse.js");
const files = require("./files.js");
const { proxy } = require("./proxy.js");

const [browserPath, work, address, site] = process.argv.slice(2);
const LATENCIES = [0, 150, 400];
const TRIES = 3;
/** The most bytes of a first visit, compressed, and the most requests of the static site until the first verdict. */
const MOST_SERVED = 110_000;
const MOST_STATIC = 110_000;
const MOST_REQUESTS = 3;

/** A first visit. Resolves to the milliseconds until the verdict, and the requests until then and in all. */
async function visit(front, name) {
  const { context, page } = await open(browserPath, path.join(work, name), { serviceWorkers: "block" });
  await page.addInitScript(() => {
    addEventListener("DOMContentLoaded", () => {
      const look = () => {
        if (!document.querySelector("#verdict .sentence")?.textContent) return;
        window.verdict = performance.now();
        observer.disconnect();
      };
      const observer = new MutationObserver(look);
      observer.observe(document.documentElement, { subtree: true, childList: true, characterData: true });
      look();
    });
  });
  const before = front.asked.length;
  await page.goto(front.address);
  await page.waitForFunction(() => window.verdict !== undefined, null, { timeout: 60_000 });
  const verdict = await page.evaluate(() => window.verdict);
  const until = await page.evaluate((then) => performance.getEntriesByType("resource").filter((entry) => entry.responseEnd <= then).length + 1, verdict);
  await page.waitForTimeout(1500);
  const asked = front.asked.slice(before);
  await context.close();
  return { verdict, until, asked };
}

async function main() {
  const { server, address: still } = await files.serve(site);
  for (const [kind, target] of [["served", address], ["static", still]]) {
    const front = await proxy(target);
    const times = [];
    for (const latency of LATENCIES) {
      front.delay = () => latency;
      const visits = [];
      for (let i = 0; i < TRIES; i += 1) visits.push(await visit(front, `${kind}-${latency}-${i}`));
      const [middle] = visits.map(({ verdict }) => verdict).sort((a, b) => a - b).slice(TRIES >> 1);
      times.push(`${(middle / 1000).toFixed(2)} s at ${latency} ms`);
      // At low latency, requests that the verdict does not need may be answered before it.
      if (kind === "static" && latency === LATENCIES.at(-1)) for (const { until } of visits) assert.ok(until <= MOST_REQUESTS, `${until} requests before the first verdict`);
    }
    Object.assign(front, { delay: () => 0, sent: 0 });
    const { until, asked } = await visit(front, `${kind}-bytes`);
    const bytes = kind === "served" ? front.sent : [...new Set(asked)].reduce((sum, url) => {
      const name = new URL(url, "http://x").pathname.slice(1) || "index.html";
      return sum + (name.startsWith("tables/") || !fs.existsSync(path.join(site, name)) ? 0 : zlib.gzipSync(fs.readFileSync(path.join(site, name))).length);
    }, 0);
    const most = kind === "served" ? MOST_SERVED : MOST_STATIC;
    console.log(`${kind}: the first verdict after ${times.join(", ")}; ${until} requests until then, ${asked.length} in all, ${bytes} bytes packed of ${most}`);
    assert.ok(bytes <= most, `${bytes} bytes`);
    front.close();
  }
  server.close();
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
