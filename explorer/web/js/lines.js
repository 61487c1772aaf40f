// Best play by both sides, fetched and played move by move until the user stops it.

import { Player } from "./player.js";

export class Lines {
  /**
   * `on` has `fetch(signal)`, which resolves to a line, `ready()`, true if the next move may be played, `step(first)`,
   * `found(line)`, which returns false if there is nothing to play, `failed(error)`, and `changed()`.
   */
  constructor(on) {
    this.on = on;
    this.fetching = null;
    this.player = new Player({ ready: on.ready, step: on.step, stopped: on.changed });
  }

  /** True while a line is played or on its way. */
  get playing() {
    return this.player.playing || this.fetching !== null;
  }

  /** Stops the line, also one that is still being fetched. */
  stop() {
    this.player.stop();
    this.fetching?.abort();
    this.fetching = null;
  }

  /** Plays the moves that are there already. */
  play() {
    this.player.start();
  }

  /** Fetches a line, and plays it unless it has been stopped. `fetch` and `found` are as for the class. */
  async start(fetch = this.on.fetch, found = this.on.found) {
    const fetching = new AbortController();
    this.fetching = fetching;
    this.on.changed();
    let line = null;
    let error = null;
    try {
      line = await fetch(fetching.signal);
    } catch (failed) {
      error = failed;
    }
    if (this.fetching !== fetching) return;
    this.fetching = null;
    if (error) this.on.failed(error);
    else if (found(line)) this.play();
    this.on.changed();
  }
}
