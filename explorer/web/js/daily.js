// The puzzle of the day, the same for everyone with the same tables, and what the user has solved. All of it stays in the
// browser.

import { settings } from "./browser.js";

/** The number of a day since 1970 in the user's time zone, for the date of a moment. */
const dayOf = (moment) => Math.floor((moment.getTime() - moment.getTimezoneOffset() * 60_000) / 86_400_000);

/** Today: the number of the day, and its date as `2026-11-27`. */
export function today(moment = new Date()) {
  const day = dayOf(moment);
  return { day, date: new Date(day * 86_400_000).toISOString().slice(0, 10) };
}

/** The ending of a day's puzzle: each in its turn, in an order that seems random. */
export const endingOfDay = (day, endings) => endings[(day * 7919) % endings.length];

/** The days on which the puzzle was solved without a mistake: the last one, and how many in a row until then. */
export const streak = {
  get() {
    const [last = NaN, days = 0] = (settings.get("daily") ?? "").split(" ").map(Number);
    const { day } = today();
    return { done: last === day, days: last >= day - 1 ? days : 0 };
  },
  solved() {
    const { done, days } = streak.get();
    if (!done) settings.set("daily", `${today().day} ${days + 1}`);
  },
};

/** The number of puzzles solved of each ending, with the most first. */
export function progress(solved) {
  const counts = new Map();
  for (const material of solved) counts.set(material, (counts.get(material) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}
