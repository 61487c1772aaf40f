// The reason why there is no answer, in words.

import { unclearLetters } from "./fen.js";
import { t, translated } from "./words.js";

/** The largest number of characters shown of a sentence that does not come from the page itself. */
const LONGEST = 400;

/** Explains a refusal in words; the refusal of a position also by its FEN and its rule set. */
export function problemWords(refused, fen = "", rules = "asean") {
  const unclear = unclearLetters(fen, rules);
  if (refused.kind === "input" && /has the letter/.test(refused.message) && unclear.length) return t("unclearLetters", { letters: unclear.join(", "), rules: t(rules) });
  const material = /\b(K[RNSMP]*vK[RNSMP]*(?:-asean)?)\b/.exec(refused.message)?.[1];
  const lacking = /has results for .* only, not for (\w+)/.exec(refused.message)?.[1];
  if (lacking && material) return t("missingRules", { material, rules: t(lacking) });
  if ((refused.kind === "missing-table" || /^there is no table of/.test(refused.message)) && material) return t("missingTable", { material });
  if (refused.kind === "file") return t("brokenTable");
  if (refused.kind === "offline" || refused instanceof TypeError) return t("offline");
  if (refused.kind === "too-long") return t("tooLong");
  if (refused.kind === "unreadable") return t("unreadable");
  const message = translated(refused.message);
  return message.length > LONGEST ? `${message.slice(0, LONGEST)} …` : message;
}
