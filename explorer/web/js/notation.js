// Moves as they are written and spoken in the language of the page. Thai has its own letters for men and files; the
// digits are those of the rest of the page.

import { currentLanguage } from "./words.js";

const MEN = { K: "ข", R: "ร", N: "ม", S: "ค", B: "ค", M: "ม็", Q: "ม็" };
const FILES = "กขคงจฉชญ";

/** A square in Thai. */
const square = (text) => [...text].map((letter) => {
  const file = "abcdefgh".indexOf(letter);
  return file >= 0 ? FILES[file] : letter;
}).join("");

/** A move in Thai letters. */
export function inThai(san) {
  const found = /^([KRNSMBQ]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(=[A-Z])?(.*)$/.exec(san);
  if (!found) return san;
  const [, man, from, takes, to, promoted = "", rest] = found;
  const link = takes || (man ? "-" : "");
  return `${MEN[man] ?? ""}${square(from)}${link}${square(to)}${promoted && `=${MEN[promoted[1]] ?? promoted[1]}`}${rest}`;
}

/** A move as the page writes it. */
export const spoken = (san) => (currentLanguage() === "th" ? inThai(san) : san);

/** A square as the page names it. */
export const squareName = (name) => (currentLanguage() === "th" ? square(name) : name);
