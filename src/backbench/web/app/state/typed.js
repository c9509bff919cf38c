// Typed: what was typed in a field is saved after a pause. What is made of it does not wait for that pause.

/** What saves the text of each field that is on the screen. @type {Set<() => void>} */
export const fields = new Set();

/** Saves what was typed up to now. */
export function saveTyped() {
  for (const save of fields) save();
}
