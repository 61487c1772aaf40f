// The choice of the man that a bia becomes, in games that leave it to the player.

import { $, Button, mark } from "./dom.js";
import { man, svg } from "./men.js";
import { t } from "./words.js";

/** The men of a promotion by the letters of a move. B and Q are ASEAN's letters of khon and met. */
const ROLES = { r: "R", n: "N", s: "S", b: "S", m: "M", q: "M" };

export class Become {
  /** `play(uci)` plays the move that the user has chosen. */
  constructor(play) {
    this.play = play;
    this.moves = [];
    this.key = null;
    this.host = $("become");
  }

  /** Offers the promotions of a move in the position with this key. */
  offer(moves, key, turn) {
    this.moves = moves;
    this.key = key;
    this.host.replaceChildren(...moves.map((uci) => {
      const role = ROLES[uci[4]];
      const picture = svg("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" });
      picture.append(man(turn === "w" ? role : role.toLowerCase(), 0, 0));
      const button = new Button(() => this.choose(uci), { "data-become": uci });
      button.element.append(picture);
      mark(button.element, "aria-label", t(role));
      mark(button.element, "title", t(role));
      return button.element;
    }));
    this.host.hidden = false;
    this.host.firstElementChild.focus({ preventScroll: true });
  }

  choose(uci) {
    this.letGo();
    this.play(uci);
  }

  letGo() {
    this.moves = [];
    this.host.hidden = true;
  }

  /** Shows the choice as long as its position is shown. */
  show({ key }) {
    mark(this.host, "aria-label", t("becomes"));
    if (key !== this.key) this.letGo();
  }
}
