// Stamp: a status as a colour, a word and a mark.

import { span } from "./tags.js";

const MARKS = /** @type {Record<string, string>} */ ({ todo: "○", in_progress: "◐", done: "●", alarm: "✕" });

/** @param {{ status: string, word: string }} props `status` is todo, in_progress, done or alarm */
export function stamp({ status, word }) {
  return span(
    { class: `stamp status-${status}` },
    span({ "aria-hidden": "true" }, MARKS[status] ?? "○"),
    word,
  );
}
