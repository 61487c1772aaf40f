// The reason why there is no answer, in words.

import { t, translated } from "./words.js";

/** The most characters shown of a sentence that is not the page's own. */
const LONGEST = 400;

/** The words for a refusal. */
export function problemWords(refused) {
  const material = /\b(K[RNSMP]*vK[RNSMP]*)\b/.exec(refused.message)?.[1];
  const lacking = /has results of .* alone, none of (\w+)/.exec(refused.message)?.[1];
  if (lacking && material) return t("missingRules", { material, rules: t(lacking) });
  const biaUnder = /those of (\w+) have no bia/.exec(refused.message)?.[1];
  if (biaUnder) return t("noBia", { rules: t(biaUnder) });
  if (refused.kind === "missing-table" && material) return t("missingTable", { material });
  if (refused.kind === "file") return t("brokenTable");
  if (refused.kind === "offline" || refused instanceof TypeError) return t("offline");
  if (refused.kind === "too-long") return t("tooLong");
  if (refused.kind === "unreadable") return t("unreadable");
  const message = translated(refused.message);
  return message.length > LONGEST ? `${message.slice(0, LONGEST)} …` : message;
}
