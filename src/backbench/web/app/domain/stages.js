// Stages: where the work on an order is, and the one next step.

/** @typedef {import("../../../../../types/shapes.d.ts").Order} Order */
/** @typedef {import("../../../../../types/shapes.d.ts").OrderDetails} OrderDetails */
/** @typedef {OrderDetails["stage"]} Stage */
/** @typedef {"start" | "goOn" | "ready" | "collect"} Step */

/**
 * The server derives it by the same rules; here it follows what was done without a connection, too.
 * @param {Pick<Order, "status">} order @param {Partial<OrderDetails>} details @returns {Stage}
 */
export function stageOf({ status }, { waitingFor, collectedAt }) {
  if (status === "done") return collectedAt ? "collected" : "ready";
  if (waitingFor) return "waiting";
  return status === "todo" ? "received" : "in_progress";
}

/** @type {Record<Stage, Step | null>} */
export const NEXT_STEP = {
  received: "start",
  waiting: "goOn",
  in_progress: "ready",
  ready: "collect",
  collected: null,
};

/** When the order became ready, if it is; undefined otherwise. @param {Order} order @returns {string | undefined} */
export function readySince({ status, statusHistory }) {
  return status === "done" ? statusHistory.at(-1)?.at : undefined;
}

/** A day of this device's calendar as YYYY-MM-DD. @param {Date} date */
function dayOf(date) {
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The day after a number of days. @param {Date} now @param {number} days */
function dayAfter(now, days) {
  return dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12));
}

/** The days that are offered at the counter. Friday is the next one, never today. @param {Date} now */
export function usualDays(now) {
  return {
    today: dayAfter(now, 0),
    tomorrow: dayAfter(now, 1),
    friday: dayAfter(now, (5 - now.getDay() + 7) % 7 || 7),
    week: dayAfter(now, 7),
  };
}
