// Draft of an intake: what was entered so far. It stays while the person looks at another screen.

import { signal } from "../../vendor/signals.js";

export const BLANK = {
  what: "",
  condition: /** @type {string[]} */ ([]),
  name: "",
  phone: "",
  /** Of the customer who was chosen. */
  customerId: "",
  /** Whether who was typed is to be kept as a customer; null: as the workshop usually does. */
  isKept: /** @type {boolean | null} */ (null),
  dueOn: "",
  place: "",
  limit: /** @type {number | null} */ (null),
};

export const draft = signal(BLANK);

/** @param {Partial<typeof BLANK>} fields */
export function set(fields) {
  draft.value = { ...draft.value, ...fields };
}
