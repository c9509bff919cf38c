// Draft of an intake: what was entered so far. It stays while the person looks at another screen.

import { signal } from "../../vendor/signals.js";

export const BLANK = {
  what: "",
  condition: /** @type {string[]} */ ([]),
  name: "",
  phone: "",
  dueOn: "",
  place: "",
  limit: /** @type {number | null} */ (null),
};

export const draft = signal(BLANK);

/** @param {Partial<typeof BLANK>} fields */
export function set(fields) {
  draft.value = { ...draft.value, ...fields };
}
