// Moves as they are written and spoken in the language of the page. Thai has its own letters for men and files; the
// digits are those of the rest of the page.

import { t } from "./words.js";

/** The letter of a man in the language. ASEAN chess's letters B and Q mean khon and met. */
const man = (letter) => t("shortMen").split(" ")["KRNSMP".indexOf({ B: "S", Q: "M" }[letter] ?? letter)] ?? letter;

/** A square as the page names it. */
export const squareName = (name) => [...name].map((letter) => t("files").split(" ")["abcdefgh".indexOf(letter)] ?? letter).join("");

/** A move as the page writes it. In Thai a hyphen precedes the target square of a man that takes nothing. */
export function spoken(san) {
  if (man("K") === "K") return san;
  const found = /^([KRNSMBQ]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(=[A-Z])?(.*)$/.exec(san);
  if (!found) return san;
  const [, name, from, takes, to, promoted = "", rest] = found;
  const link = takes || (name ? "-" : "");
  return `${name && man(name)}${squareName(from)}${link}${squareName(to)}${promoted && `=${man(promoted[1])}`}${rest}`;
}
