// Tickets: the orders of the workshop with what the board by date shows of each.

import { wallClock } from "../domain/due.js";
import { isLocal } from "../domain/ids.js";
import { folded } from "../domain/search.js";
import { computed, effect, signal } from "../vendor/signals-core.js";
import { first } from "./first.js";
import { loaded } from "./live.js";
import { latest } from "./orders.js";
import { replica } from "./outbox.js";
import { sorted } from "./sync/collection.js";
import { documentSettings, factOf, workshopId } from "./workshops.js";

/** `facts` are those that this device knows. @typedef {{order: Api.Order, facts: Partial<Api.OrderSummary> | undefined, isCollected: boolean}} Ticket */
/** @typedef {import("./first.js").ShownOrder} ShownOrder */
/** One of the board; `isEarly`: the order itself is not there yet. @typedef {(Ticket & {isEarly?: undefined}) | import("./first.js").Card} Shown */

const now = signal(Date.now());

/** The calendar and the clock on the wall of the workshop. */
export const clock = computed(() => wallClock(now.value, documentSettings.value?.timeZone));

/** Counts the minutes, for what is drawn again with the time. */
export const minute = computed(() => Math.floor(now.value / 60_000));

/** Whether every order of the workshop that is not collected has its facts here; null until that is known. */
export const isWhole = factOf("board", /** @type {boolean | null} */ (null));

/** The orders with their facts, the latest activity first. */
export const tickets = listOf(() => true);

const byStatus = {
  todo: listOf(({ status }) => status === "todo"),
  in_progress: listOf(({ status }) => status === "in_progress"),
  done: listOf(({ status }) => status === "done"),
  open: listOf(({ status }) => status !== "done"),
};
/** What a column is of; `open` is what is not done. @typedef {keyof typeof byStatus} Of */

/** What is shown before the orders are there. */
const early = computed(() =>
  first.value?.workshopId === workshopId.value && !loaded.value.has(workshopId.value) ? first.value : null
);
/** What waits for the person, in one line. */
export const inboxLine = signal("");
effect(() => void (early.value && (inboxLine.value = early.value.inbox)));

/** The texts of a ticket in which the board's search looks, folded once. @type {WeakMap<Ticket, string>} */
const texts = new WeakMap();

/** @param {Ticket} ticket */
function textOf(ticket) {
  const known = texts.get(ticket);
  if (known !== undefined) return known;
  const { order: { title, customerName, notes }, facts } = ticket;
  const { item, place = "", phone = "" } = facts ?? {};
  const text = folded([title, customerName, notes, item?.description ?? "", place, phone].join("\n"));
  texts.set(ticket, text);
  return text;
}

/** Orders of the status whose title, customer, notes, number, item, place or phone have the text. @param {Of} status @param {string} query */
export function matching(status, query) {
  const text = folded(query.trim());
  const all = byStatus[status].value;
  if (text === "") return all;
  // A ticket does not show its number: part of one would find what nobody sees.
  return all.filter((ticket) => textOf(ticket).includes(text) || String(ticket.facts?.number) === text);
}

/** As `matching`, or the first of them before they are there. @param {Of} status @param {string} query @returns {readonly Shown[]} */
export function shownOf(status, query) {
  return early.value?.cards.filter(({ order }) =>
    order.status === status || status === "open" && order.status !== "done"
  ) ?? matching(status, query);
}

/** Does what a card is pressed for once its order is there, unless that has another status by then. @param {ShownOrder} order @param {() => void} work */
export function whenThere({ id, status }, work) {
  const there = () => {
    end();
    if (replica.views.order.peek().get(id)?.status === status) work();
  };
  const end = effect(() => void (early.value || queueMicrotask(there)));
}

/** How many `matching` finds, without those that were collected where nothing is looked for; a space while that is not known. @param {Api.Order["status"]} status @param {string} query */
export function countOf(status, query) {
  if (early.value) return early.value.counts?.[status] ?? "\u00a0";
  return matching(status, query).filter(({ isCollected }) => query || !isCollected).length;
}

/** @param {(order: Api.Order) => boolean} isMeant */
function listOf(isMeant) {
  const { order, orderSummary, orderDetails } = replica.views;
  return sorted({
    sources: [order, orderSummary, orderDetails],
    make: (id) => {
      const found = /** @type {Api.Order | undefined} */ (order.peek().get(id));
      return found?.workshopId === workshopId.peek() && isMeant(found) ? ticketOf(found) : undefined;
    },
    order: (one, other) => latest(one.order, other.order),
    scope: () => `${workshopId.value} ${isWhole.value}`,
  });
}

/** What each ticket was made of, by the id of its order. @type {Map<string, {parts: unknown[], ticket: Ticket}>} */
const made = new Map();

/** A ticket of which nothing has changed is the same object as before: it is not drawn again. @param {Api.Order} order @returns {Ticket} */
function ticketOf(order) {
  const { orderSummary, orderDetails } = replica.views;
  const [summary, own] = [orderSummary.peek().get(order.id), orderDetails.peek().get(order.id)];
  const parts = [order, summary, own, isWhole.peek()];
  const known = made.get(order.id);
  if (known?.parts.every((part, at) => part === parts[at])) return known.ticket;
  const facts = summary || own ? { ...summary, ...own } : undefined;
  const ticket = { order, facts, isCollected: isCollected(order, facts) };
  made.set(order.id, { parts, ticket });
  return ticket;
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

/** Answers of clients that nobody has seen. */
export const unread = signal(0);

/** `due` is what is still to pay. @typedef {{id: string, title: string, due: import("./amounts-due.js").Due}} Collecting */

/** @type {import("../vendor/signals-core.js").Signal<Collecting | null>} */
export const collecting = signal(null);

/** Of which order the customer is told something; `isUndone`: the sheet offers to take back that it is ready. @type {import("../vendor/signals-core.js").Signal<{id: string, isUndone?: boolean} | null>} */
export const telling = signal(null);
