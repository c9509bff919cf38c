// Intake: what was entered of an order that is not taken in yet. Like all that is typed it is kept letter by letter, and
// outlasts the page; it ends when the order is taken in or somebody discards it.

import { localId } from "../domain/ids.js";
import { computed } from "../vendor/signals-core.js";
import { draftIn, keepDraft } from "./drafts.js";
import { replica } from "./outbox.js";
import { workshopId } from "./workshops.js";

const ID = "intake";

/** @typedef {typeof BLANK} Intake */

const BLANK = {
  /** Of the order that it becomes: photos are of that order before there is one. */
  orderId: "",
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

export const draft = computed(() => intakeIn(workshopId.value) ?? BLANK);

/** The intake of a workshop; undefined until it is known. @param {string} workshop @returns {Intake | undefined} */
export function intakeIn(workshop) {
  const text = draftIn(workshop, ID);
  if (text === undefined) return undefined;
  const kept = { ...BLANK, ...JSON.parse(text || "{}") };
  // Another page has taken it in, or this one was closed before it could forget it.
  const isTaken = replica.replaced.value.has(kept.orderId) || !!replica.views.order.get(kept.orderId);
  return isTaken ? BLANK : kept;
}

/** Returns the id of the order that it becomes. @param {Partial<Intake>} [fields] */
export function set(fields = {}) {
  const { orderId, ...known } = draft.peek();
  const next = { ...known, orderId: orderId || localId(), ...fields };
  keepDraft(ID, JSON.stringify(next));
  return next.orderId;
}

/** It was taken in, or discarded. */
export function clear() {
  keepDraft(ID, "");
}
