// Questions to the tables. One is open at a time, and only its own answer is taken: what comes for
// another is dropped. Where the tables cannot be reached it is asked again, more and more seldom.

/** The waits between tries, in milliseconds. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
/** After this long without an answer there is none. */
const PATIENCE = 30_000;

export class Asked {
  /**
   * `load(question, { signal, again })` promises the answer to a question, or throws why there is none:
   * with `passing` set, it is tried again. `changed()` is called when an answer or a refusal is there.
   */
  constructor(load, changed) {
    this.load = load;
    this.changed = changed;
    this.forget();
  }

  /** No question at all. */
  forget() {
    this.drop();
    this.key = null;
    this.question = null;
    this.status = "idle";
    this.answer = null;
    this.refused = null;
  }

  /** Asks, unless the same is being asked or has been answered. */
  ask(key, question) {
    if (key === this.key && this.status !== "refused") return;
    this.forget();
    this.key = key;
    this.question = question;
    this.status = "pending";
    this.tries = 0;
    this.send();
  }

  /** Tries at once what would be tried later. */
  hurry() {
    if (this.timer === null) return;
    this.tries = 0;
    this.send();
  }

  /** True if nothing will change by itself. */
  get settled() {
    return this.status === "answered" || this.status === "idle" || (this.status === "refused" && !this.refused.passing);
  }

  /** What was taken for the answer is none. */
  refuse(refused) {
    this.drop();
    this.answer = null;
    this.refused = refused;
    this.status = "refused";
    if (!refused.passing) return;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries);
    this.tries += 1;
    this.timer = setTimeout(() => this.send(), wait);
  }

  drop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.sent?.abort();
    this.sent = null;
  }

  async send() {
    this.drop();
    const sent = new AbortController();
    this.sent = sent;
    const patience = setTimeout(() => sent.abort(), PATIENCE);
    let answer = null;
    let refused = null;
    try {
      answer = await this.load(this.question, { signal: sent.signal, again: this.refused !== null });
    } catch (error) {
      // What is not a refusal is the network's, or a fault of the page: another try may do.
      refused = "passing" in error ? error : Object.assign(error, { passing: true });
    }
    clearTimeout(patience);
    // Another question was asked since.
    if (this.sent !== sent) return;
    this.sent = null;
    if (refused) this.refuse(refused);
    else {
      this.answer = answer;
      this.refused = null;
      this.status = "answered";
    }
    this.changed();
  }
}
