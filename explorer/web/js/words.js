// Words and sentences in the chosen language. Each language has its own file in `words/`.

import { en } from "./words/en.js";
import { refusals, th } from "./words/th.js";

const words = { en, th };
/** Patterns of the tables' sentences, which are English, with their translations. */
const translations = { th: refusals };

let language = "en";

/** The languages of the page, with their own names. */
export const languages = Object.fromEntries(Object.entries(words).map(([code, { languageName }]) => [code, languageName]));

/** Selects a language. Without an argument, selects the browser's language if the page supports it. */
export function setLanguage(wanted) {
  const offered = [wanted, ...(navigator.languages ?? [])].filter(Boolean);
  const known = offered.map((name) => name.slice(0, 2).toLowerCase()).find((name) => name in words);
  language = known ?? "en";
  document.documentElement.lang = language;
  return language;
}

export const currentLanguage = () => language;

/** The address of the page about an ending or, without an ending, of the index, in the selected language. */
export const endingsPage = (ending = "index") => `endings/${language === "en" ? "" : `${language}/`}${ending}.html`;

/** A word or sentence in the selected language. */
export function t(key, values = {}) {
  const text = words[language][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** The word for a category. Without a category, the word for a win or loss that may not be in time. */
export const worthWord = (category, wins) => t(category ?? (wins ? "winUndecided" : "lossUndecided"));

/** A number in the form of the language. */
export const number = (n) => n.toLocaleString(t("numberFormat"));

export const sideWord = (turn) => t(turn === "w" || turn === "white" ? "white" : "black");

/** The place of an error of a file of games, before its reason. */
const PLACE = /^(?:game \d+(?: \(line \d+\))?: |at move [^"]*?, in line \d+, |invalid first position: )+/;

const SIDES = { white: "w", black: "b", White: "w", Black: "b" };

/** A sentence of the tables in the selected language, or marked as English if there is no translation of it. */
export function translated(message) {
  if (!(language in translations)) return message;
  const reason = message.replace(PLACE, "");
  for (const [pattern, text] of translations[language]) {
    const found = pattern.exec(reason);
    if (found) return text.replace(/\{(\d)\}/g, (_, i) => (found[i] in SIDES ? sideWord(SIDES[found[i]]) : found[i]));
  }
  return t("untranslated", { message });
}
