// A FEN with B or Q under makruk or ouk: the letters of ASEAN chess, or of western chess. The user says which are meant.

import { $, Button } from "./dom.js";
import { parse, unclearLetters } from "./fen.js";
import { t } from "./words.js";

export class Letters {
  /** `on` has `read()`, which reads B as khon and Q as met, and `asean()`, which opens the FEN under ASEAN chess. */
  constructor({ read, asean }) {
    this.read = new Button(read, { "data-do": "read-letters" });
    this.asean = new Button(asean, { "data-do": "open-asean" });
    $("letters").replaceChildren(this.read.element, this.asean.element);
  }

  show({ fen, rules, refused }) {
    const unclear = refused !== null && unclearLetters(fen, rules).length > 0 && parse(fen) !== null;
    $("letters").hidden = !unclear;
    this.read.show({ text: t("readLetters") });
    this.asean.show({ text: t("openAsean") });
  }
}
