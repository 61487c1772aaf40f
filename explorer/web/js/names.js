// The men of an ending in words, for lists in which one chooses an ending.

import { t } from "./words.js";

/** The name of an ending with its men in words, for instance "KRvKN: rook v knight". */
export function endingName(material) {
  const sides = material.split("v").map((men) => [...men.slice(1)].map((man) => t(man)).join(", ") || t("K"));
  return `${material}: ${t("versus", { one: sides[0], other: sides[1] })}`;
}
