// A button that copies a text.

import { Button } from "./dom.js";
import { t } from "./words.js";

/** A button that copies a text or, if the browser does not allow that, selects the text. */
export function copyButton(text, select = () => {}) {
  let copied = null;
  const button = new Button(async () => {
    try {
      await navigator.clipboard.writeText(text());
      copied = text();
      button.show({ text: t("copied") });
    } catch {
      select();
    }
  }, { class: "small" });
  return {
    element: button.element,
    show: (label) => button.show({ text: copied === text() ? t("copied") : label }),
  };
}
