// Progress: how far an estimate has come, as a stamp, and its next step.

import { words } from "../../words/words.js";

/** @typedef {{ outcome: "accepted" | "declined" }} Decision what the client has said, where there is a client page */

/** @param {Api.EstimateSummary} summary @returns {Decision | undefined} */
function decisionOf(summary) {
  return /** @type {{ decision?: Decision }} */ (summary).decision;
}

/** The stamp: decision, order, validity, state, in this order. @param {Api.EstimateSummary} summary @param {number} now */
export function stampOf(summary, now) {
  const stage = stageOf(summary, now);
  return { status: STATUS[stage], word: words.value.common.estimateStages[stage] };
}

/** How far it has come: what the stamp says, and what the list can be filtered by. @param {Api.EstimateSummary} summary @param {number} now @returns {Stage} */
export function stageOf(summary, now) {
  if (summary.orderId) return "work";
  const decision = decisionOf(summary);
  if (decision) return decision.outcome;
  return summary.state === "confirmed" && isExpired(summary, now) ? "expired" : summary.state;
}

/** @typedef {keyof typeof STATUS} Stage */
const STATUS = /** @type {const} */ ({
  draft: "todo",
  changed: "in_progress",
  confirmed: "done",
  accepted: "done",
  declined: "alarm",
  expired: "alarm",
  work: "done",
});
/** In the order of the filter. */
export const STAGES = /** @type {Stage[]} */ (Object.keys(STATUS));

/** @param {Api.EstimateSummary} summary @param {number} now */
function isExpired({ latestRevision }, now) {
  const until = latestRevision?.validUntil;
  // As its link: the day is over once it is over everywhere on earth.
  return until !== undefined && Date.parse(`${until}T24:00-12:00`) <= now;
}

/** Whether the estimate as it stands was handed over. @param {Api.EstimateSummary} summary */
export function isSent({ state, lastHandoff, latestRevision }) {
  return state === "confirmed" && !!lastHandoff &&
    lastHandoff.revisionNumber >= (latestRevision?.number ?? 0);
}
