// Empty state: one sentence, and the button that fills the place.

import { actionButton } from "./action-button.js";
import { div, p } from "./tags.js";

/** @param {{ text: string, picture?: string, action?: import("./action-button.js").ActionButton }} props */
export function emptyState({ text, picture, action }) {
  return div(
    { class: "empty" },
    picture && div({ class: "empty-picture", "aria-hidden": "true" }, picture),
    p({}, text),
    action && actionButton({ kind: "main", ...action }),
  );
}
