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

/** How far an estimate has come. @typedef {"draft" | "changed" | "unsent" | "sent" | "seen" | "asked" | "accepted" | "declined" | "expired" | "ordered"} EstimateStage */

/**
 * The decision of the client is before all that waits for it; a question before what was done with the estimate.
 * @param {Api.EstimateSummary} summary @param {boolean} isAsked whether the client's last question has no answer yet @param {number} now @returns {EstimateStage}
 */
export function estimateStage(summary, isAsked, now) {
  const { orderId, decision, state, latestRevision, openedAt } = summary;
  if (orderId) return "ordered";
  if (decision) return decision.outcome;
  if (isAsked) return "asked";
  if (state !== "confirmed") return state;
  if (isExpired(latestRevision, now)) return "expired";
  return openedAt ? "seen" : wasSent(summary) ? "sent" : "unsent";
}

/** Whether the client has the latest revision: a link that was made and never handed over has reached nobody. @param {Api.EstimateSummary | null} summary */
export const wasSent = (summary) => !!summary?.sentAt && !!summary.lastHandoff;

/** @param {Api.EstimateSummary["latestRevision"]} revision @param {number} now */
function isExpired(revision, now) {
  const until = revision?.validUntil;
  // As its link: the day is over once it is over everywhere on earth.
  return until !== undefined && Date.parse(`${until}T24:00-12:00`) <= now;
}
