// Puts a server under load: see `load`. Arguments: the program, its tables, a directory, and settings.
"use strict";
const { execFileSync, spawn } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { RULES, below, one, placed } = require("./random.js");

const [program, tables, work, ...words] = process.argv.slice(2);
const settings = { requests: 1_000_000, seconds: 10, connections: 64 };
for (const word of words) {
  const [, name, value] = /^--([a-z]+)=(\d+)$/.exec(word) ?? [];
  if (!(name in settings)) throw new Error(`${word} is no setting: give --NAME=NUMBER of ${Object.keys(settings).join(", ")}`);
  settings[name] = Number(value);
}
const ENDINGS = ["KRvK", "KSMvK", "KNMvK", "KRvKN"];
/** The number of different positions, asked about in turn. */
const POSITIONS = 3000;
/** The time in milliseconds until the server gets the signal to stop. */
const BEFORE_STOP = 2000;

/** Linux counts the CPU time of processes in hundredths of a second. */
const TICKS = 100;

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a server on a free port; resolves to it and its address once it listens. */
function serve() {
  const server = spawn(program, ["serve", "--bind", "127.0.0.1:0", "--no-log", "--tables", tables], { stdio: ["ignore", "ignore", "pipe"] });
  return new Promise((resolve, reject) => {
    server.on("exit", () => reject(new Error("the server does not start")));
    server.stderr.on("data", (text) => {
      const [address] = /http:\/\/[0-9.:]+/.exec(text) ?? [];
      if (address) resolve({ server, address });
    });
  });
}

/** The memory of a process, in MB. */
function memory({ pid }) {
  const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s*(\d+)/m.exec(status)[1]) * 1024 / 1e6;
}

/** The CPU time that a process has used, in seconds. */
function cpu({ pid }) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Positions with counts, each asked once to decode its blocks. */
async function positions(address) {
  const found = [];
  while (found.length < POSITIONS) {
    const rules = one(RULES);
    const fen = placed(one(ENDINGS), rules).replaceAll(" ", "_");
    const count = below(2) ? `&count=${below(60)}` : "";
    const response = await fetch(`${address}/v1/probe?fen=${fen}&rules=${rules}${count}`);
    const document = await response.json();
    if (response.status === 200) found.push({ rules, fen: document.fen });
  }
  return found;
}

/** Repeats rounds of requests until there are enough. */
function load(address, paths, server) {
  const file = path.join(work, "paths");
  fs.writeFileSync(file, paths.join("\n"));
  const rounds = [];
  const before = memory(server);
  const begun = cpu(server);
  let requests = 0;
  while (requests < settings.requests) {
    const script = path.join(__dirname, "load.lua");
    const out = execFileSync("wrk", ["-t2", `-c${settings.connections}`, `-d${settings.seconds}s`, "-s", script, address, "--", file]).toString();
    const [, asked, microseconds, late, wrong] = /^done (\d+) (\d+) (\d+) (\d+)$/m.exec(out).map(Number);
    if (wrong) throw new Error(`${wrong} of ${asked} answers are wrong or missing:\n${out}`);
    rounds.push({ rate: asked / (microseconds / 1e6), late: late / 1000, memory: memory(server) });
    requests += asked;
  }
  return { requests, before, rounds, each: (cpu(server) - begun) / requests };
}

/** The positions per second that `sakmak probe` answers from standard input, and the CPU time for each. */
function probe(all) {
  const fens = all.filter(({ rules }) => rules === "makruk").map(({ fen }) => fen);
  const input = `${Array.from({ length: Math.ceil(50_000 / fens.length) }, () => fens.join("\n")).join("\n")}\n`;
  const command = `"$0" probe - --json --tables "$1" > "$2"; times`;
  const start = process.hrtime.bigint();
  const times = execFileSync("bash", ["-c", command, program, tables, path.join(work, "answers")], { input }).toString();
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const [user, system] = times.trim().split("\n").at(-1).split(" ").map((time) => {
    const [, minutes, rest] = /^(\d+)m([\d.]+)s$/.exec(time).map(Number);
    return 60 * minutes + rest;
  });
  const number = input.split("\n").length - 1;
  return { number, rate: number / seconds, each: (user + system) / number };
}

/** Clients that keep asking, each on its connection, while the server shuts down. */
async function stop(server, address, paths) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: settings.connections });
  const said = { answered: 0, afterStop: 0, lost: [] };
  let told = false;
  const ask = (url) => new Promise((resolve, reject) => {
    const request = http.get(url, { agent }, (response) => {
      response.on("error", reject).on("end", resolve).resume();
    });
    request.on("error", reject);
  });
  const clients = Array.from({ length: settings.connections }, async (_, i) => {
    for (let at = i; ; at += 1) {
      try {
        await ask(address + paths[at % paths.length]);
        said.answered += 1;
        if (told) said.afterStop += 1;
      } catch (error) {
        // A connection refused because the server no longer listens has sent nothing.
        if (!(told && error.code === "ECONNREFUSED")) said.lost.push(error.code ?? `${error}`);
        return;
      }
    }
  });
  const exit = new Promise((resolve) => server.on("exit", (code) => resolve(code)));
  await wait(BEFORE_STOP);
  told = true;
  server.kill("SIGTERM");
  await Promise.all(clients);
  return { ...said, code: await exit };
}

async function main() {
  const { server, address } = await serve();
  server.removeAllListeners("exit");
  const all = await positions(address);
  const kinds = [
    ["`GET /v1/probe`", all.map(({ rules, fen }) => `/v1/probe?fen=${fen.replaceAll(" ", "_")}&rules=${rules}`)],
    ["`GET /{rules}`, lila's shape", all.map(({ rules, fen }) => `/${rules}?fen=${fen.replaceAll(" ", "_")}`)],
  ];
  const line = `${settings.connections} connections, rounds of ${settings.seconds} s`;
  console.log(`| ${line} | requests | answers a second | 99 % within, ms | server's CPU µs an answer | memory before and after, MB |\n|---|---:|---:|---:|---:|---:|`);
  for (const [name, paths] of kinds) {
    const { requests, before, rounds, each } = load(address, paths, server);
    const [rate, late] = ["rate", "late"].map((key) => median(rounds.map((round) => round[key])));
    const range = [Math.min, Math.max].map((best) => Math.round(best(...rounds.map((round) => round.rate))).toLocaleString("en"));
    console.log(`| ${name} | ${requests.toLocaleString("en")} | ${Math.round(rate).toLocaleString("en")} (${range.join(" to ")}) | ${late.toFixed(1)} | ${(1e6 * each).toFixed(0)} | ${before.toFixed(1)}, ${rounds.at(-1).memory.toFixed(1)} |`);
  }
  const { number, rate, each } = probe(all);
  console.log(`| \`sakmak probe --json -\`, one thread | ${number.toLocaleString("en")} | ${Math.round(rate).toLocaleString("en")} | | ${(1e6 * each).toFixed(0)} | |`);
  const said = await stop(server, address, kinds[0][1]);
  console.log(`\nSIGTERM after ${BEFORE_STOP / 1000} s: ${said.answered} answers, ${said.afterStop} of them after it, ${said.lost.length} requests lost, exit code ${said.code}`);
  if (said.lost.length || said.code !== 0) throw new Error(`lost: ${said.lost.join(" ")}, exit code ${said.code}`);
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
