// Stages: where the work on an order is, and the one next step.

/** @typedef {Api.OrderDetails["stage"]} Stage */
/** @typedef {"start" | "goOn" | "ready" | "collect"} Step */

/**
 * The server derives it by the same rules; here it follows what was done without a connection, too.
 * @param {Pick<Api.Order, "status">} order @param {Partial<Api.OrderDetails>} details @returns {Stage}
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

const FRIDAY = 5;
const DAY = 24 * 60 * 60 * 1000;

/** When the order became ready, if it is; undefined otherwise. @param {Api.Order} order @returns {string | undefined} */
export function readySince({ status, statusHistory }) {
  return status === "done" ? statusHistory.at(-1)?.at : undefined;
}

/** The day after a number of days. @param {string} day YYYY-MM-DD @param {number} days */
function dayAfter(day, days) {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

/** The days that are offered at the counter. Friday is the next one, never today. @param {string} today YYYY-MM-DD, in the workshop's time zone */
export function usualDays(today) {
  const weekday = new Date(today).getUTCDay();
  return {
    today,
    tomorrow: dayAfter(today, 1),
    friday: dayAfter(today, (FRIDAY - weekday + 7) % 7 || 7),
    week: dayAfter(today, 7),
  };
}
