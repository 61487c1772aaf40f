// Elements from JavaScript. Text is set as text, never as markup.

/** An element with attributes and children; a listener is given as `onclick` and the like. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const $ = (id) => document.getElementById(id);

/** Sets the text of an element if it is another one: what is selected in it stays so. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute, or takes it away if its value is null. */
export function mark(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/**
 * Gives a host as many children as there are items. A child is made once and brought up to date from
 * then on, so that it keeps the focus, and a click that an answer comes in the middle of arrives.
 */
export function fill(host, items, make, update) {
  while (host.children.length > items.length) host.lastElementChild.remove();
  items.forEach((item, i) => {
    const child = host.children[i] ?? host.appendChild(make(i));
    update(child, item, i);
  });
}

/** Fills a list of choices, values with their texts, in place, so that the one chosen stays. */
export function offer(select, choices, name) {
  mark(select, "aria-label", name);
  fill(select, choices, () => el("option"), (option, [value, text]) => {
    option.value = value;
    write(option, text);
  });
}

/**
 * A button. `off` switches it off without taking the focus away, as `disabled` would; `name` names it
 * where its text does not.
 */
export class Button {
  constructor(act, attributes = {}) {
    this.off = false;
    this.element = el("button", { type: "button", onclick: (event) => this.off || act(event), ...attributes });
  }

  show({ text, name = null, off = false, pressed = null }) {
    this.off = off;
    write(this.element, text);
    mark(this.element, "aria-label", name);
    mark(this.element, "title", name);
    mark(this.element, "aria-disabled", off ? "true" : null);
    mark(this.element, "aria-pressed", pressed);
  }
}

/** True if an element can be seen and so may have the focus. */
const seen = (element) => element.isConnected && (element.checkVisibility?.({ visibilityProperty: true }) ?? element.offsetParent !== null);

/** Changes the page. If that takes away what has the focus, the focus goes to what `otherwise` gives. */
export function keepingFocus(change, otherwise) {
  const before = document.activeElement;
  change();
  if (before && before !== document.body && (document.activeElement === document.body || !seen(document.activeElement))) {
    (seen(before) ? before : otherwise()).focus({ preventScroll: true });
  }
}
