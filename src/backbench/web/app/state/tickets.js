// Tickets: the orders of the workshop with what the board by date shows of each.

import { computed, signal } from "../vendor/signals-core.js";
import { wallClock } from "../domain/due.js";
import { orders } from "./orders.js";
import { replica } from "./outbox.js";
import { documentSettings } from "./workshops.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Order} Order */
/** @typedef {import("../../../../../types/shapes.d.ts").OrderSummary} OrderSummary */
/** `facts` are missing of orders that only this device has, and of a server that does not tell them. @typedef {{order: Order, facts: OrderSummary | undefined}} Ticket */

const now = signal(Date.now());

/** The calendar and the clock on the wall of the workshop. */
export const clock = computed(() => wallClock(now.value, documentSettings.value?.timeZone));

/** The orders with their facts, the latest activity first. */
export const tickets = computed(() => withFacts(orders.value));

/** @param {Order[]} found @returns {Ticket[]} */
function withFacts(found) {
  const known = replica.views.orderSummary.value;
  return found.map((order) => ({ order, facts: known.get(order.id) }));
}

/** Starts what lasts as long as the page: the time goes on, in steps of a minute. */
export function startClock() {
  const tick = () => (now.value = Date.now());
  setInterval(tick, 15_000);
  document.addEventListener("visibilitychange", tick);
}
