// Progress: how far an estimate has come, as a stamp, and its next step.

import { words } from "../../i18n/index.js";

/** @typedef {import("../../state/summaries.js").EstimateSummary} Summary */
/** @typedef {{ outcome: "accepted" | "declined" }} Decision what the client has said, where there is a client page */

/** @param {Summary} summary @returns {Decision | undefined} */
function decisionOf(summary) {
  return /** @type {{ decision?: Decision }} */ (summary).decision;
}

/** The stamp: decision, order, validity, state, in this order. @param {Summary} summary @param {number} now */
export function stampOf(summary, now) {
  const { estimateState, estimateProgress } = words.value.common;
  const decision = decisionOf(summary);
  if (summary.orderId) return { status: "done", word: estimateProgress.work };
  if (decision) {
    return {
      status: decision.outcome === "accepted" ? "done" : "alarm",
      word: estimateProgress[decision.outcome],
    };
  }
  if (summary.state === "confirmed" && isExpired(summary, now)) {
    return { status: "alarm", word: estimateProgress.expired };
  }
  return { status: STATUS[summary.state], word: estimateState[summary.state] };
}

const STATUS = /** @type {const} */ ({ draft: "todo", changed: "in_progress", confirmed: "done" });

/** @param {Summary} summary @param {number} now */
function isExpired({ latestRevision }, now) {
  const until = latestRevision?.validUntil;
  return until !== undefined && new Date(`${until}T23:59:59`).getTime() < now;
}

/** Whether the estimate as it stands was handed over. @param {Summary} summary */
export function isSent({ state, lastHandoff, latestRevision }) {
  return state === "confirmed" && !!lastHandoff &&
    lastHandoff.revisionNumber >= (latestRevision?.number ?? 0);
}
