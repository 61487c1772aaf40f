// The men. The Thai set is drawn for Sakmak after the turned men of Thai sets, and the report uses it too: khun, khon
// and met are stupas of three sizes, the ma is a horse's head, the ruea a boat, the bia a cowrie. The western set is
// drawn for Sakmak as well. Each man fills a square of 45 units.

const BASE = "<path d='M10 39.5c0-4.2 1.5-6.5 4-7h17c2.5.5 4 2.8 4 7z'/>";

const THAI = {
  K: "<path d='M22.5 3.5l1.6 6.5h-3.2zM20.9 10h3.2c.2 3 1.2 4.6 3 6.2 4.3 3.6 6.2 8.8 7 16.3H10.9c.8-7.5 2.7-12.7 7-16.3 1.8-1.6 2.8-3.2 3-6.2z'/><path class='l' d='M17 18.5h11M14 24h17'/><path d='M9 39.5c0-4.2 1.5-6.5 4-7h19c2.5.5 4 2.8 4 7z'/>",
  S: `<circle cx='22.5' cy='10.5' r='3'/><path d='M22.5 13.5c6.6 1.9 9.3 9.3 9.9 19H12.6c.6-9.7 3.3-17.1 9.9-19z'/><path class='l' d='M15 23h15'/>${BASE}`,
  M: "<path d='M22.5 17c1.5 5.5 7.5 7.5 8.5 15.5H14c1-8 7-10 8.5-15.5z'/><path d='M12 39.5c0-4.2 1.3-6.5 3.5-7h14c2.2.5 3.5 2.8 3.5 7z'/>",
  N: "<path d='M13.5 33.5c-.3-6.5 4.2-9.5 5.8-13.3l-4.6 2.5c-1.7.8-3.4-.8-2.7-2.6 1-2.8 3.3-5 4.3-8.3l3-2.1.9-4.2 3.4 3.5c7.2 1.6 10.3 9 9.4 24.5z'/><circle class='e' cx='20.3' cy='13.8' r='1.3'/><path d='M10 39.5c0-3.7 1.3-5.7 3.5-6h20c2.2.3 3.5 2.3 3.5 6z'/>",
  P: "<path d='M22.5 22c5.5 0 9 3.5 9 7.5 0 4-3.5 8-9 8-5.5 0-9-4-9-8 0-4 3.5-7.5 9-7.5z'/><path class='l' d='M22.5 25v9.5M19.5 27.5h2M19.5 31h2M23.5 27.5h2M23.5 31h2'/>",
  R: "<path d='M14 25v-7.5h17V25z'/><path d='M11.5 17.5c2.5-5 6-7.5 11-7.5s8.5 2.5 11 7.5z'/><path class='l' d='M19.7 18v6.5M25.3 18v6.5'/><path d='M5 24.5c4 1.3 8 1.5 17.5 1.5s13.5-.2 17.5-1.5c-.8 8.5-4.5 15-9.5 15h-16c-5 0-8.7-6.5-9.5-15z'/>",
};

const WESTERN = {
  K: `<path d='M21 3.5h3v3h3v3h-3v4h-3v-4h-3v-3h3z'/><path d='M22.5 13.5c4-4.5 12-3 12 3.5 0 5-4.5 8-6 15.5H16.5C15 25 10.5 22 10.5 17c0-6.5 8-8 12-3.5z'/><path class='l' d='M16.5 29c4-1 8-1 12 0'/>${BASE}`,
  S: `<circle cx='22.5' cy='7.5' r='2.5'/><path d='M22.5 10c5 3.5 8 7.5 8 12.5 0 3.5-2 6-3.5 10h-9c-1.5-4-3.5-6.5-3.5-10 0-5 3-9 8-12.5z'/><path class='l' d='M22.5 16v8M18.5 20h8'/>${BASE}`,
  M: `<circle cx='9.5' cy='14' r='2.2'/><circle cx='18' cy='9.5' r='2.2'/><circle cx='27' cy='9.5' r='2.2'/><circle cx='35.5' cy='14' r='2.2'/><path d='M10.5 16l4 8.5 3.7-13 4.3 12.5 4.3-12.5 3.7 13 4-8.5-3.5 16.5H14z'/>${BASE}`,
  N: THAI.N,
  P: `<circle cx='22.5' cy='16' r='5.5'/><path d='M19 20.5h7c0 5 2 8 4 12H15c2-4 4-7 4-12z'/>${BASE}`,
  R: "<path d='M12 8.5h4.5v3h4v-3h4v3h4v-3H33v8l-3.5 3v12h-14v-12L12 16.5z'/><path class='l' d='M15.5 19.5h14'/><path d='M10 39.5c0-4.5 1.5-7 4-8h17c2.5 1 4 3.5 4 8z'/>",
};

const letters = (lettering) => Object.fromEntries(["K", "R", "N", "S", "M", "P"].map((man) => {
  const shown = lettering === "asean" ? { S: "B", M: "Q" }[man] ?? man : man;
  return [man, `<circle cx='22.5' cy='22.5' r='16.5'/><text x='22.5' y='30.5'>${shown}</text>`];
}));

/** The symbols of a set of men, as the content of an SVG `defs` element. */
export function symbols(style, lettering) {
  const shapes = { thai: THAI, western: WESTERN }[style] ?? letters(lettering);
  return Object.entries(shapes)
    .map(([man, shape]) => `<symbol id="man-${man}" viewBox="0 0 45 45">${shape}</symbol>`)
    .join("");
}

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes. */
export function svg(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** A man on a square of 45 units whose corner is at x, y. */
export const man = (which, x, y) => svg("use", {
  href: `#man-${which.toUpperCase()}`,
  class: which === which.toUpperCase() ? "w" : "b",
  x,
  y,
  width: 45,
  height: 45,
});
