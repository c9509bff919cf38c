import { pluralOf } from "../plurals.js";

/** Words of the board. */
export const board = {
  title: "Board",
  orders: "Orders",
  start: "Start",
  finish: "Done",
  reopen: "Reopen",
  collect: "Collected",
  /** @param {string} title */
  collected: (title) => `${title}: collected`,
  newOrder: "New order",
  toPay: "to pay",
  paid: "paid",
  /** @param {string} title @param {string} status */
  moved: (title, status) => `${title}: ${status}`,
  emptyToDo: "Nothing waiting. New orders appear here.",
  emptyInProgress: "Nothing on the bench. Start an order and it comes here.",
  emptyDone: "Finished orders come here.",
  due: {
    overdue: "Late",
    today: "Today",
    week: "This week",
    later: "Later",
    ready: "Ready",
    collected: "Collected",
    none: "No date",
    /** @param {number} days */
    daysLate: (days) => pluralOf("en", days, { one: `${days} day late`, other: `${days} days late` }),
    /** @param {string} time */
    lateSince: (time) => `late since ${time}`,
    onToday: "today",
    onTomorrow: "tomorrow",
  },
  /** @param {number} days */
  readyFor: (days) => `ready for ${days} days`,
  waitingFor: {
    parts: "Waiting for parts",
    customer: "Waiting for the customer",
    supplier: "Waiting for the supplier",
    other: "On hold",
  },
  /** @param {number} count */
  unread: (count) => `${count} new`,
  search: "Search orders",
  /** @param {string} query */
  nothingFound: (query) => `No order with “${query}”.`,
  loadMore: "Show older ones",
};
