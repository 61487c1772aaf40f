// A UCI engine as a child process.
"use strict";

const { spawn } = require("child_process");
const readline = require("readline");

// The longest wait for an answer on a busy machine, in milliseconds.
const PATIENCE = 120000;

// The score of an `info` line in hundredths of a pawn; mates are beyond all other scores.
function scoreOf(line) {
  const found = /^info .*score (cp|mate) (-?)(\d+)/.exec(line);
  if (!found) return null;
  const [, kind, minus, digits] = found;
  const size = kind === "cp" ? Number(digits) : 30000 - Number(digits);
  return minus || (kind === "mate" && digits === "0") ? -size : size;
}

class Engine {
  constructor(name, command) {
    this.name = name;
    this.waiting = null;
    this.strings = [];
    // The last score of the search.
    this.score = null;
    this.process = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
    this.process.stdin.on("error", () => {});
    this.process.on("exit", (code) => this.fail(`ended with ${code}`));
    readline.createInterface({ input: this.process.stdout }).on("line", (line) => this.hear(line));
  }

  fail(why) {
    if (this.quitting) return;
    this.dead = new Error(`${this.name} ${why}`);
    if (this.waiting) this.waiting.reject(this.dead);
  }

  hear(line) {
    if (line.startsWith("info string")) this.strings.push(line);
    else this.score = scoreOf(line) ?? this.score;
    if (this.waiting && line.startsWith(this.waiting.start)) {
      clearTimeout(this.waiting.timer);
      const { resolve } = this.waiting;
      this.waiting = null;
      resolve(line);
    }
  }

  say(line) {
    this.process.stdin.write(`${line}\n`);
  }

  // Sends a line and waits for a reply that begins with the given text.
  ask(line, start) {
    if (this.dead) return Promise.reject(this.dead);
    this.say(line);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.name} is silent after ${line}`)), PATIENCE);
      this.waiting = { start, resolve, reject, timer };
    });
  }

  async start(options) {
    await this.ask("uci", "uciok");
    for (const [name, value] of Object.entries(options)) this.say(`setoption name ${name} value ${value}`);
    await this.ask("isready", "readyok");
  }

  async newGame() {
    this.say("ucinewgame");
    await this.ask("isready", "readyok");
  }

  async move(position, go) {
    this.say(position);
    this.score = null;
    const line = await this.ask(go, "bestmove");
    return line.split(" ")[1];
  }

  quit() {
    this.quitting = true;
    this.say("quit");
  }
}

module.exports = { Engine };
