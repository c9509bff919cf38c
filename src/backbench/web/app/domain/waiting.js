// Waiting: the estimates that wait for the workshop to do something.

/**
 * What is needed of the summary of an estimate.
 * @typedef {object} Summary
 * @property {string} estimateId
 * @property {"draft" | "confirmed" | "changed"} state
 * @property {{number: number, confirmedAt: string}} [latestRevision]
 * @property {{createdAt: string, revisionNumber: number}} [lastHandoff]
 * @property {string} [orderId]
 * @property {{outcome: "accepted" | "declined"}} [decision]
 */

export const FOLLOW_UP_DAYS = 7;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Four lists: accepted and no order yet; changed since confirmed; confirmed, but not handed off; handed off more than a
 * week ago. An estimate that was declined or has become an order waits for nothing, and none is in two lists.
 * @template {Summary} T
 * @param {readonly T[]} summaries
 * @param {number | string | Date} now
 */
export function waiting(summaries, now) {
  const undone = summaries.filter((summary) => !summary.orderId);
  const open = undone.filter((summary) => !summary.decision);
  const before = new Date(now).getTime() - FOLLOW_UP_DAYS * DAY;
  const confirmed = open.filter((summary) => summary.state === "confirmed");
  return {
    accepted: undone.filter((summary) => summary.decision?.outcome === "accepted"),
    changed: open.filter((summary) => summary.state === "changed"),
    notSent: confirmed.filter((summary) => !isSent(summary)),
    unanswered: confirmed.filter((summary) => isSent(summary) && sentAt(summary) < before),
  };
}

/**
 * Whether the latest revision was handed off.
 * @param {Summary} summary
 */
export function isSent({ latestRevision, lastHandoff }) {
  return !!lastHandoff && lastHandoff.revisionNumber >= (latestRevision?.number ?? 0);
}

/** @param {Summary} summary */
function sentAt({ lastHandoff }) {
  return lastHandoff ? new Date(lastHandoff.createdAt).getTime() : Infinity;
}
