// Elements built from JavaScript. Text is always set as text, never parsed as markup.

/** Makes an element with attributes and children. A listener is an attribute such as `onclick`. */
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

/** Sets the text of an element only if the text differs, so that a selection in it stays. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute, or removes it if the value is null. */
export function mark(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/**
 * Keeps as many children in a host as there are items. A child is made once and then updated, so that it keeps the
 * focus and a click is not lost when an answer arrives in the middle of it.
 */
export function fill(host, items, make, update) {
  while (host.children.length > items.length) host.lastElementChild.remove();
  items.forEach((item, i) => {
    const child = host.children[i] ?? host.appendChild(make(i));
    update(child, item, i);
  });
}

/** Fills a list of choices (values and their texts) in place, so that the selected choice stays. */
export function offer(select, choices, name) {
  mark(select, "aria-label", name);
  fill(select, choices, () => el("option"), (option, [value, text]) => {
    option.value = value;
    write(option, text);
  });
}

/**
 * A button. `off` disables it but, unlike `disabled`, leaves it the focus; `name` labels it where its text does
 * not.
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

/** True if an element is visible and can have the focus. */
const seen = (element) => element.isConnected && (element.checkVisibility?.({ visibilityProperty: true }) ?? element.offsetParent !== null);

/**
 * Changes the page. If this removes the element with the focus, the focus moves to the element that `otherwise`
 * returns.
 */
export function keepingFocus(change, otherwise) {
  const before = document.activeElement;
  change();
  if (before && before !== document.body && (document.activeElement === document.body || !seen(document.activeElement))) {
    (seen(before) ? before : otherwise()).focus({ preventScroll: true });
  }
}
