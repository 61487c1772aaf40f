// The keys of the page, wherever the focus is.

/** Does what a key is for: `acts` are by the key's name. Control and z is the u's. */
export function listen(acts) {
  addEventListener("keydown", (event) => {
    if (event.target.closest("input[type=text], select, textarea, dialog")) return;
    const undoes = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.shiftKey;
    if (!undoes && (event.ctrlKey || event.metaKey || event.altKey)) return;
    // The space bar presses what has the focus.
    if (event.key === " " && event.target.closest("button, input, a, summary")) return;
    const act = acts[undoes ? "u" : event.key];
    if (!act) return;
    // Escape also closes what the browser has opened.
    if (event.key !== "Escape") event.preventDefault();
    act();
  });
}
