// Tickets: the orders of the workshop with what the board by date shows of each.

import { computed, signal } from "../vendor/signals-core.js";
import { wallClock } from "../domain/due.js";
import { orders } from "./orders.js";
import { replica } from "./outbox.js";
import { documentSettings } from "./workshops.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Order} Order */
/** @typedef {import("../../../../../types/shapes.d.ts").OrderSummary} OrderSummary */
/** `facts` are those that this device knows. @typedef {{order: Order, facts: Partial<OrderSummary> | undefined}} Ticket */

const now = signal(Date.now());

/** The calendar and the clock on the wall of the workshop. */
export const clock = computed(() => wallClock(now.value, documentSettings.value?.timeZone));

/** The orders with their facts, the latest activity first. */
export const tickets = computed(() => withFacts(orders.value));

/** @param {Order[]} found @returns {Ticket[]} */
function withFacts(found) {
  const { orderSummary: { value: summaries }, orderDetails: { value: details } } = replica.views;
  return found.map((order) => ({ order, facts: joined(summaries.get(order.id), details.get(order.id)) }));
}

/** @param {Partial<OrderSummary> | undefined} summary @param {Partial<OrderSummary> | undefined} details */
function joined(summary, details) {
  return summary || details ? { ...summary, ...details } : undefined;
}

/** Starts what lasts as long as the page: the time goes on, in steps of a minute. */
export function startClock() {
  const tick = () => (now.value = Date.now());
  setInterval(tick, 15_000);
  document.addEventListener("visibilitychange", tick);
}
