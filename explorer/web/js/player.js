// Plays the moves of a line one after another, each when the answer about the previous position has arrived.

export class Player {
  /**
   * `on` has `ready()`, true if the next move may be played, `step(first)`, which returns false after the last, and
   * `stopped()`.
   */
  constructor(on) {
    this.on = on;
    this.timer = null;
  }

  get playing() {
    return this.timer !== null;
  }

  start() {
    this.pause = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1600 : 900;
    this.due = 0;
    this.first = true;
    this.timer = setInterval(() => this.tick(), 50);
    this.tick();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
  }

  tick() {
    if (performance.now() < this.due || !this.on.ready()) return;
    this.due = performance.now() + this.pause;
    const { first } = this;
    this.first = false;
    if (this.on.step(first)) return;
    this.stop();
    this.on.stopped();
  }
}

/** Speaks a number aloud, as the player who counts does. */
export function speak(n, language) {
  if (n === null || n === undefined || !("speechSynthesis" in window)) return;
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(String(n));
  words.lang = { en: "en-GB", th: "th-TH" }[language] ?? language;
  speechSynthesis.speak(words);
}
