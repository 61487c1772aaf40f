// The rule sets, each with the name of its variant in Fairy-Stockfish. Alone it prints the rule sets, or the variant of
// the rule set that it is given.
"use strict";

const VARIANTS = { makruk: "makruk", asean: "asean", ouk: "cambodian" };
exports.VARIANTS = VARIANTS;

if (require.main === module) {
  const [rules] = process.argv.slice(2);
  console.log(rules ? VARIANTS[rules] : Object.keys(VARIANTS).join(" "));
}
