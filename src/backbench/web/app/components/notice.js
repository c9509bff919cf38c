// Notice: something to know, in place, with what can be done about it.

import { actionButton, useAnnounced } from "./action-button.js";
import { component, div, p } from "./tags.js";

/** @param {{ text: any, kind?: "plain" | "good" | "warning" | "alarm", detail?: any, action?: import("./action-button.js").ActionButton }} props */
export const notice = (props) => component(Notice, props);

/** @param {Parameters<typeof notice>[0]} props */
function Notice({ text, kind = "plain", detail, action }) {
  // An alert is heard when it appears; everything else needs a region that was there before.
  useAnnounced(kind === "alarm" ? "" : text);
  return div(
    { class: `notice ${kind}`, role: kind === "alarm" ? "alert" : undefined },
    p({}, text),
    detail && p({ class: "quiet-text" }, detail),
    action && div({ class: "row" }, actionButton(action)),
  );
}

/** @param {{ text: string, picture?: string, action?: import("./action-button.js").ActionButton }} props */
export function emptyState({ text, picture, action }) {
  return div(
    { class: "empty" },
    picture && div({ class: "empty-picture", "aria-hidden": "true" }, picture),
    p({}, text),
    action && actionButton({ kind: "main", ...action }),
  );
}
