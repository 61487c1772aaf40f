// Questions to the tables. One is open at a time; answers to earlier ones are dropped. While the tables cannot be
// reached the question is repeated at growing intervals.

/** The first and the longest interval between tries, in milliseconds. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
/** The time, in milliseconds, after which a question without an answer has failed. */
const PATIENCE = 30_000;

export class Asked {
  /**
   * `load(question, { signal, again })` resolves to the answer, or throws the reason why there is none; with
   * `passing` set, it is tried again. `changed()` is called when an answer or a refusal has arrived.
   */
  constructor(load, changed) {
    this.load = load;
    this.changed = changed;
    this.forget();
  }

  /** Drops the open question. */
  forget() {
    this.drop();
    this.key = null;
    this.question = null;
    this.status = "idle";
    this.answer = null;
    this.refused = null;
  }

  /** Asks a question, unless the same question is open or already answered. */
  ask(key, question) {
    if (key === this.key && this.status !== "refused") return;
    this.forget();
    this.key = key;
    this.question = question;
    this.status = "pending";
    this.tries = 0;
    this.send();
  }

  /** Repeats a waiting question at once. */
  hurry() {
    if (this.timer === null) return;
    this.tries = 0;
    this.send();
  }

  /** True if no answer is awaited, so that the state does not change by itself. */
  get settled() {
    return this.status === "answered" || this.status === "idle" || (this.status === "refused" && !this.refused.passing);
  }

  /** Replaces an answer with a refusal. */
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
      // Other errors are the network's or faults of the page: a later try may succeed.
      refused = "passing" in error ? error : Object.assign(error, { passing: true });
    }
    clearTimeout(patience);
    // Another question has been asked since.
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
