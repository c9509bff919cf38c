// Orders of the workshop that is shown.

import { send } from "../api/client.js";
import { computed } from "../vendor/signals-core.js";
import { localId } from "../domain/ids.js";
import { loaded } from "./live.js";
import { enqueue, replica } from "./outbox.js";
import { act, change, open, record, shown } from "./records.js";
import { compare, sorted } from "./sync/collection.js";
import { factOf, showWorkshop, workshopId } from "./workshops.js";

/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

/** Those with the latest activity first. @param {Api.Order} one @param {Api.Order} other */
export const latest = (one, other) =>
  compare(other.lastActivityAt, one.lastActivityAt) || compare(other.id, one.id);

/** The orders, those with the latest activity first. @type {ReadonlySignal<Api.Order[]>} */
export const orders = sorted({
  sources: [replica.views.order],
  make: (id) => {
    const found = replica.views.order.peek().get(id);
    return found?.workshopId === workshopId.peek() ? found : undefined;
  },
  order: latest,
  scope: () => workshopId.value,
});
/** Whether the orders are known, so that no orders means that there are none. */
export const hasOrders = computed(() => loaded.value.has(workshopId.value));

/** @param {string} id @returns {import("./records.js").Seen<Api.Order | undefined>} */
export function order(id) {
  return record("order", id);
}

/** Reads one order. Throws Problem where there is none to show. @param {string} id */
export async function openOrder(id) {
  await showWorkshop("order", id, open("order", id));
}

/** Where the next page of orders that are done starts; "" after the last one. */
const older = factOf("older", "");
/** Whether there are older orders that are done. */
export const hasOlder = computed(() => older.value !== "");

/** Loads older orders that are done. Needs a connection. Throws Problem. */
export async function loadDone() {
  const { loadOlder } = await import("./sync/lists.js");
  if (hasOlder.peek()) await loadOlder({ replica, send }, workshopId, older);
}

/** Returns the id of the new order. @param {string} title @param {string} [customerName] @param {string} [id] */
export function createOrder(title, customerName = "", id = localId()) {
  enqueue("order.create", id, workshopId.value, { title, customerName });
  return id;
}

/** @param {string} id @param {Api.OrderEdit} fields */
export function editOrder(id, fields) {
  return change("order", "edit", id, fields);
}

/** @param {string} id @param {Api.Order["status"]} status */
export function moveOrder(id, status) {
  const known = shown("order", id);
  if (known?.status === status) return null;
  return act("order", "move", id, { status }, { status: known?.status });
}

/** The workshop of an order. @param {string} id */
export function ofOrder(id) {
  return { workshopId: shown("order", id)?.workshopId ?? workshopId.peek() };
}

/** Makes a change of what belongs to an order. Returns its key. @param {string} op @param {string} id of the order @param {Record<string, any>} [args] */
export function add(op, id, args = {}) {
  return enqueue(op, replica.presentId(id), ofOrder(id).workshopId, args);
}

/** The customer has it. @param {string} id */
export const collect = (id) => add("orderDetails.collect", id);

/** @param {string} id */
export const uncollect = (id) => add("orderDetails.uncollect", id);

/** Sent after six seconds; `drop` with the returned key takes it back. @param {string} id */
export function deleteOrder(id) {
  return act("order", "delete", id, {});
}
