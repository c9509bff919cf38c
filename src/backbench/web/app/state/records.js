// Records: reads objects as the person sees them, and makes changes with what was seen before.

import { send } from "../api/client.js";
import { isGone, isProblem, isTemporary, Problem } from "../api/problems.js";
import { isLocal } from "../domain/ids.js";
import { KINDS } from "../domain/kinds.js";
import { core, coreLoaded, enqueue, replica } from "./outbox.js";

/** @typedef {import("../domain/kinds.js").Kind} Kind */

/** @template T @typedef {{readonly value: T, peek: () => T}} Seen as a signal */

/** An object of a kind as it is shown, by its id of the server or its local one. @param {Kind} kind @param {string} id @returns {Seen<any>} */
export function record(kind, id) {
  return {
    get value() {
      return replica.views[kind].get(replica.presentId(id));
    },
    peek: () => shown(kind, id),
  };
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
export function act(kind, op, id, args, before = null) {
  const object = shown(kind, id);
  return object
    ? enqueue(`${kind}.${op}`, replica.presentId(id), object.workshopId ?? "", args, before)
    : null;
}

/**
 * Changes fields of an object, or of what the op changes of it; undefined and null remove one. Returns the key of the change.
 * @param {Kind} kind
 * @param {string} op
 * @param {string} id
 * @param {Record<string, any>} fields
 * @param {{workshopId?: string, args?: Record<string, any>}} [more] `args`: which part of the object has the fields
 */
export function change(kind, op, id, fields, { workshopId, args = {} } = {}) {
  const name = `${kind}.${op}`;
  const object = shown(kind, id) ?? KINDS[kind].empty;
  const seen = object && core.mutation(name).target?.(object, args);
  if (!seen) return null;
  const given = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, value ?? null]));
  const before = Object.fromEntries(Object.keys(given).map((field) => [field, seen[field] ?? null]));
  const of = workshopId ?? object.workshopId ?? "";
  return enqueue(name, replica.presentId(id), of, { ...args, fields: given }, before);
}

/**
 * Reads an object from the server, if it has it and can be reached. Throws Problem where there is nothing to show: 404 or
 * 403 if it is gone, another one if it was not reached.
 * @param {Kind} kind
 * @param {string} id
 * @param {string} [workshopId] of an object that does not say it
 */
export async function open(kind, id, workshopId = "") {
  const present = replica.presentId(id);
  // The first cards of a start can be tapped before.
  await coreLoaded;
  try {
    if (!isLocal(present)) {
      await keepRead(kind, present, () => core.readObject({ send }, { kind, workshopId }, present));
    }
  } catch (error) {
    if (isGone(error)) await replica.commit({ removed: [[kind, present]] });
    if (!isTemporary(error) || !shown(kind, present)) throw error;
  }
  if (!shown(kind, present)) throw new Problem(404, "404");
}

/**
 * Reads an object and keeps it. It is read again where a write was answered meanwhile, or a list that has less of it: what
 * was read may be older. Returns what was kept, undefined where nothing was read.
 * @param {Kind} kind
 * @param {string} id
 * @param {() => Promise<import("../local/memory.js").StoredObject | undefined>} read
 */
export async function keepRead(kind, id, read) {
  const sequence = replica.sequence();
  const object = await read();
  if (object && replica.touchedSince(kind, id, sequence)) return await keepRead(kind, id, read);
  if (object) await replica.commit({ objects: [object] });
  return object;
}

/** Without the server, or for somebody who may not, what is stored stays. Returns whether the work succeeded. @param {() => Promise<unknown>} work */
export async function softly(work) {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isProblem(error) || !(isTemporary(error) || error.status === 401 || isGone(error))) throw error;
    return false;
  }
}
