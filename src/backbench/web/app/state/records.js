// Records: reads objects as the person sees them, and makes changes with what was seen before.

import { computed } from "../vendor/signals-core.js";
import { send } from "../api/client.js";
import { isGone, isProblem, isTemporary } from "../api/problems.js";
import { enqueue, replica } from "./outbox.js";
import { readObject } from "./sync/delivery.js";

/** @typedef {import("../local/memory.js").Kind} Kind */
/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

/** @type {Map<string, ReadonlySignal<any>>} */
const records = new Map();

/** An object of a kind as a signal, by its id of the server or its local one. @param {Kind} kind @param {string} id @returns {ReadonlySignal<any>} */
export function record(kind, id) {
  const name = `${kind}/${id}`;
  const known = records.get(name);
  if (known) return known;
  const made = computed(() => replica.views[kind].value.get(replica.presentId(id)));
  records.set(name, made);
  return made;
}

/** The object as it is shown now. @param {Kind} kind @param {string} id */
export function shown(kind, id) {
  return replica.views[kind].peek().get(replica.presentId(id));
}

/**
 * Makes a change of an object that is shown; of one that is not, nothing. Returns the key of the change.
 * @param {Kind} kind
 * @param {string} op
 * @param {string} id
 * @param {Record<string, any>} args
 * @param {Record<string, any> | null} [before]
 */
export function change(kind, op, id, args, before = null) {
  const object = shown(kind, id);
  return object ? enqueue(`${kind}.${op}`, replica.presentId(id), object.workshopId, args, before) : null;
}

/** The values that fields had. @param {any} record @param {Record<string, any>} fields */
export function before(record, fields) {
  return Object.fromEntries(Object.keys(fields).map((field) => [field, record?.[field] ?? null]));
}

/**
 * Reads an object from the server, if it has it and can be reached. Returns whether there is something to show.
 * Throws Problem 404 or 403 if it is gone.
 * @param {Kind} kind
 * @param {string} id
 */
export async function open(kind, id) {
  const present = replica.presentId(id);
  if (present.startsWith("local-")) return !!shown(kind, present);
  const sequence = replica.sequence();
  try {
    const object = await readObject({ send }, { kind, workshopId: "" }, present);
    // A write was answered meanwhile: what was read may be older.
    if (!replica.touchedSince(present, sequence)) await replica.commit({ objects: [object] });
  } catch (error) {
    if (isGone(error)) await replica.commit({ removed: [[kind, present]] });
    if (!isProblem(error) || !(isTemporary(error) || error.status === 401)) throw error;
  }
  return !!shown(kind, present);
}
