// Notice: something to know, in place, with what can be done about it.

import { actionButton } from "./action-button.js";
import { div, p } from "./tags.js";

/** @param {{ text: any, kind?: "plain" | "good" | "warning" | "alarm", detail?: any, action?: import("./action-button.js").ActionButton }} props */
export function notice({ text, kind = "plain", detail, action }) {
  return div(
    { class: `notice ${kind}`, role: kind === "alarm" ? "alert" : "status" },
    p({}, text),
    detail && p({ class: "quiet-text" }, detail),
    action && div({ class: "row" }, actionButton(action)),
  );
}
