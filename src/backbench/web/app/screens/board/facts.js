// Facts of a ticket: when it is due, what it waits for, where it lies, what was agreed.

import { icon, span } from "../../components/tags.js";
import { daysBetween, dueOf } from "../../domain/due.js";
import { ago, amount, weekday } from "../../domain/format.js";
import { dueOf as amountDue } from "../../state/amounts-due.js";
import { replica } from "../../state/outbox.js";
import { clock, minute } from "../../state/tickets.js";
import { words, wordsLanguage } from "../../words/words.js";

/** @typedef {import("../../state/wall.js").WallTicket} Ticket */

/** Whoever is ready for so long should be called. */
const LONG = 14;

/** In their order; without any, when something happened to the order last. @param {Ticket} ticket */
export function factsOf({ order, facts, isCollected = false }) {
  const found = [
    isCollected ? collectedMark() : readyFor(order, facts) || dueChip(order, facts),
    ...(facts ? others(order, facts) : []),
  ].filter(Boolean);
  // Drawn again with the clock: nothing else may happen to the order.
  return found.length ? found : [minute.value && ago(order.lastActivityAt, Date.now(), wordsLanguage.value)];
}

/** @param {Ticket["order"]} order @param {Ticket["facts"]} facts */
function dueChip({ status }, facts) {
  if (!facts?.dueOn || status === "done") return null;
  const due = dueOf(facts, clock.value);
  const text = dueText({ ...facts, dueOn: facts.dueOn }, due, clock.value.today);
  return span({ class: `due ${due}` }, icon("clock"), text);
}

function collectedMark() {
  return span({ class: "fact collected" }, icon("check-check"), words.value.board.due.collected);
}

/** Of what waits for its customer for long. @param {Ticket["order"]} order @param {Ticket["facts"]} facts */
function readyFor({ status, lastActivityAt }, { readyAt = lastActivityAt } = {}) {
  const days = Math.floor((Date.now() - Date.parse(readyAt)) / (24 * 60 * 60 * 1000));
  if (status !== "done" || days < LONG) return null;
  return span({ class: "due overdue" }, icon("clock"), words.value.board.readyFor(days));
}

/** @param {Ticket["order"]} order @param {NonNullable<Ticket["facts"]>} facts */
function others({ id, status }, { waitingFor, waitingUntil, place, agreed, due, ...told }) {
  return [
    status === "done" && !told.collectedAt && toldMark(id, told),
    waitingFor && status !== "done" &&
    span(
      { class: "badge" },
      words.value.board.waitingFor[waitingFor],
      waitingUntil && ` · ${weekday(waitingUntil, clock.value.today, wordsLanguage.value)}`,
    ),
    place && span({ class: "fact" }, icon("package"), place),
    toPay(amountDue(id, due)) || agreed && price(agreed.total, agreed.currency),
  ];
}

/** Whether the customer knows that it is ready. @param {string} id @param {Partial<Api.OrderSummary>} facts */
function toldMark(id, { notifiedAt, readyAt = "" }) {
  const { told, untold } = words.value.board;
  /** @type {Api.Notice[]} */
  const notices = replica.views.orderNotices.get(id)?.notices ?? [];
  const isTold = notifiedAt || notices.some(({ at }) => at >= readyAt);
  return isTold ? span({ class: "fact" }, icon("check"), told) : span({ class: "badge" }, untold);
}

/** What is still to be paid. @param {import("../../state/amounts-due.js").Due | undefined} due */
function toPay(due) {
  if (!due) return null;
  const text = words.value.board;
  return Number(due.amount) > 0
    ? span({}, `${text.toPay} `, price(due.amount, due.currency))
    : span({ class: "badge paid" }, text.paid);
}

/** @param {number | string} value @param {string} currency */
function price(value, currency) {
  return span({ class: "figures" }, amount(value, currency, wordsLanguage.value));
}

/**
 * Of an order that has a day.
 * @param {{dueOn: string, dueTime?: string}} details
 * @param {import("../../domain/due.js").Due} due
 * @param {string} today
 */
export function dueText({ dueOn, dueTime = "" }, due, today) {
  const text = words.value.board.due;
  const days = daysBetween(today, dueOn);
  if (due === "overdue") return days < 0 ? text.daysLate(-days) : text.lateSince(dueTime);
  const day = [text.onToday, text.onTomorrow][days] ?? weekday(dueOn, today, wordsLanguage.value);
  return `${day} ${dueTime}`.trim();
}
