// Orders of the workshop that is shown.

import { request } from "../api/client.js";
import { computed, signal } from "../vendor/signals-core.js";
import { pageOf } from "../api/lists.js";
import { localId } from "../domain/ids.js";
import { loaded, on, refresh } from "./live.js";
import { enqueue, replica } from "./outbox.js";
import { act, change, open, record, shown } from "./records.js";
import { received } from "./sync/pull.js";
import { showWorkshop, workshopId } from "./workshops.js";

/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

const DONE_PAGE = 50;

/** The orders, those with the latest activity first. @type {ReadonlySignal<Api.Order[]>} */
export const orders = computed(() =>
  [...replica.views.order.value.values()]
    .filter((order) => order.workshopId === workshopId.value)
    .sort((one, other) => compare(other.lastActivityAt, one.lastActivityAt) || compare(other.id, one.id))
);
/** Whether the orders are known, so that no orders means that there are none. */
export const hasOrders = computed(() => loaded.value.has(workshopId.value));

/** @param {string} one @param {string} other */
function compare(one, other) {
  return one < other ? -1 : Number(one > other);
}

/** @param {string} id @returns {ReadonlySignal<Api.Order | undefined>} */
export function order(id) {
  return record("order", id);
}

/** Brings orders, estimates and grids up to date. */
export function loadOrders() {
  return refresh();
}

/** Reads one order. Returns whether there is one to show; throws Problem if it is gone. @param {string} id */
export async function openOrder(id) {
  const found = await open("order", id);
  showWorkshop(shown("order", id)?.workshopId);
  return found;
}

/** Where the next page of orders that are done starts, by workshop; null after the last one. @type {import("../vendor/signals-core.js").Signal<ReadonlyMap<string, string | null>>} */
const nextDone = signal(new Map());
/** Whether there are older orders that are done. */
export const hasOlder = computed(() => {
  const next = nextDone.value.get(workshopId.value);
  // The first page is that of `pull`: where it ends is known only to the server.
  if (next === undefined) return orders.value.filter(({ status }) => status === "done").length >= DONE_PAGE;
  return next !== null;
});

/** Starts what lasts as long as the page: where the lists were loaded anew, older orders are on no device any more. */
export function startOrders() {
  on("pulled", ({ workshopId: id, isLoaded }) => isLoaded && setNext(id, undefined));
}

/** @param {string} id @param {string | null | undefined} next */
function setNext(id, next) {
  const others = [...nextDone.peek()].filter(([of]) => of !== id);
  nextDone.value = new Map(next === undefined ? others : [...others, [id, next]]);
}

/** Loads older orders that are done. Needs a connection. Throws Problem. */
export async function loadDone() {
  const id = workshopId.value;
  const cursor = nextDone.peek().get(id) ?? await pageAfter(id, "");
  if (cursor) await pageAfter(id, cursor);
}

/** @param {string} id @param {string} cursor */
async function pageAfter(id, cursor) {
  const sequence = replica.sequence();
  const found = await pageOf(
    request("GET /workshops/{workshopId}/orders", {
      workshopId: id,
      status: "done",
      limit: DONE_PAGE,
      cursor,
    }),
    "orders",
  );
  /** @type {Api.Order[]} */
  const rows = found.rows;
  // What has changed since the page was asked for is newer here.
  const objects = rows.filter((one) => !replica.touchedSince("order", one.id, sequence))
    .map((value) => received(replica, "order", value, id));
  await replica.commit({ objects });
  setNext(id, found.next);
  return found.next;
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

/** The customer has it. @param {string} id */
export function collect(id) {
  return enqueue("orderDetails.collect", replica.presentId(id), ofOrder(id), {});
}

/** @param {string} id */
export function uncollect(id) {
  return enqueue("orderDetails.uncollect", replica.presentId(id), ofOrder(id), {});
}

/** @param {string} id */
function ofOrder(id) {
  return shown("order", id)?.workshopId ?? workshopId.peek();
}

/** Sent after six seconds; `drop` with the returned key takes it back. @param {string} id */
export function deleteOrder(id) {
  return act("order", "delete", id, {});
}
