// Tickets: the orders of the workshop with what the board by date shows of each.

import { wallClock } from "../domain/due.js";
import { isLocal } from "../domain/ids.js";
import { folded } from "../domain/search.js";
import { computed, signal } from "../vendor/signals-core.js";
import { orders } from "./orders.js";
import { replica } from "./outbox.js";
import { documentSettings } from "./workshops.js";

/** `facts` are those that this device knows. @typedef {{order: Api.Order, facts: Partial<Api.OrderSummary> | undefined, isCollected: boolean}} Ticket */

const now = signal(Date.now());

/** The calendar and the clock on the wall of the workshop. */
export const clock = computed(() => wallClock(now.value, documentSettings.value?.timeZone));

/** Counts the minutes, for what is drawn again with the time. */
export const minute = computed(() => Math.floor(now.value / 60_000));

/** Whether every order of the workshop that is not collected has its facts here; null until that is known. @type {import("../vendor/signals-core.js").Signal<boolean | null>} */
export const isWhole = signal(null);

/** The orders with their facts, the latest activity first. */
export const tickets = computed(() => withFacts(orders.value));

/** The texts of each ticket in which the board's search looks, folded once and not at each key. */
const texts = computed(() => new Map(tickets.value.map((ticket) => [ticket, folded(searched(ticket))])));

/** @param {Ticket} ticket */
function searched({ order: { title, customerName, notes }, facts }) {
  const { number = "", item, place = "", phone = "" } = facts ?? {};
  return [title, customerName, notes, number, item?.description ?? "", place, phone].join("\n");
}

/** Orders of the status whose title, customer, notes, number, item, place or phone have the text. @param {Api.Order["status"]} status @param {string} query */
export function matching(status, query) {
  const text = folded(query.trim());
  return tickets.value.filter((ticket) =>
    ticket.order.status === status && (text === "" || texts.value.get(ticket)?.includes(text))
  );
}

/** What the tickets were made of. @type {Map<string, {parts: unknown[], ticket: Ticket}>} */
let made = new Map();

/** A ticket of which nothing has changed is the same object as before: it is not drawn again. @param {Api.Order[]} found @returns {Ticket[]} */
function withFacts(found) {
  const { orderSummary: { value: summaries }, orderDetails: { value: details } } = replica.views;
  const former = made;
  made = new Map(found.map((order) => {
    const [summary, own] = [summaries.get(order.id), details.get(order.id)];
    const parts = [order, summary, own, isWhole.value];
    const known = former.get(order.id);
    if (known?.parts.every((part, at) => part === parts[at])) return [order.id, known];
    const facts = joined(summary, own);
    return [order.id, { parts, ticket: { order, facts, isCollected: isCollected(order, facts) } }];
  }));
  return [...made.values()].map(({ ticket }) => ticket);
}

/** @param {Partial<Api.OrderSummary> | undefined} summary @param {Partial<Api.OrderSummary> | undefined} details */
function joined(summary, details) {
  return summary || details ? { ...summary, ...details } : undefined;
}

/** The lists leave out what was collected: of an order that is done, no facts say so as well. @param {Api.Order} order @param {Ticket["facts"]} facts */
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

export const unread = signal(0);

/** `due` is what is still to pay. @typedef {{id: string, title: string, due: import("./amounts-due.js").Due}} Collecting */

/** @type {import("../vendor/signals-core.js").Signal<Collecting | null>} */
export const collecting = signal(null);
