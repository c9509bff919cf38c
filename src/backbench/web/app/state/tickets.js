// Tickets: the orders of the workshop with what the board by date shows of each.

import { isLocal } from "../domain/ids.js";
import { computed, signal } from "../vendor/signals-core.js";
import { wallClock } from "../domain/due.js";
import { orders } from "./orders.js";
import { replica } from "./outbox.js";
import { documentSettings } from "./workshops.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Order} Order */
/** @typedef {import("../../../../../types/shapes.d.ts").OrderSummary} OrderSummary */
/** `facts` are those that this device knows. @typedef {{order: Order, facts: Partial<OrderSummary> | undefined, isCollected: boolean}} Ticket */

const now = signal(Date.now());

/** The calendar and the clock on the wall of the workshop. */
export const clock = computed(() => wallClock(now.value, documentSettings.value?.timeZone));

/** Whether every order of the workshop that is not collected has its facts here; null until that is known. @type {import("../vendor/signals-core.js").Signal<boolean | null>} */
export const isWhole = signal(null);

/** The orders with their facts, the latest activity first. */
export const tickets = computed(() => withFacts(orders.value));

/** @param {Order[]} found @returns {Ticket[]} */
function withFacts(found) {
  const { orderSummary: { value: summaries }, orderDetails: { value: details } } = replica.views;
  return found.map((order) => {
    const facts = joined(summaries.get(order.id), details.get(order.id));
    return { order, facts, isCollected: isCollected(order, facts) };
  });
}

/** @param {Partial<OrderSummary> | undefined} summary @param {Partial<OrderSummary> | undefined} details */
function joined(summary, details) {
  return summary || details ? { ...summary, ...details } : undefined;
}

/** The lists leave out what was collected: of an order that is done, no facts say so as well. @param {Order} order @param {Ticket["facts"]} facts */
function isCollected({ id, status }, facts) {
  if (status !== "done") return false;
  return facts ? !!facts.collectedAt : isWhole.value === true && !isLocal(id);
}

/** Starts what lasts as long as the page: the time goes on, in steps of a minute. */
export function startClock() {
  const tick = () => (now.value = Date.now());
  setInterval(tick, 15_000);
  document.addEventListener("visibilitychange", tick);
}
