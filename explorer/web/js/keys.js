// Keys that work wherever the focus is.

/** Runs the action of a key. `acts` has the actions by the key's name. Control and z has the action of u. */
export function listen(acts) {
  addEventListener("keydown", (event) => {
    if (event.target.closest("input[type=text], select, textarea, dialog")) return;
    const undoes = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.shiftKey;
    if (!undoes && (event.ctrlKey || event.metaKey || event.altKey)) return;
    // The space bar presses the button that has the focus.
    if (event.key === " " && event.target.closest("button, input, a, summary")) return;
    const act = acts[undoes ? "u" : event.key];
    if (!act) return;
    // Escape keeps its meaning for the browser: it closes dialogs and notes.
    if (event.key !== "Escape") event.preventDefault();
    act();
  });
}
