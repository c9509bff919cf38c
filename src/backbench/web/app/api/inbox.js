// Inbox of a workshop.

import { send } from "./client.js";

/** @template T @typedef {import("./client.js").Answer<T>} Answer */

/** @param {string} workshopId @returns {Promise<Answer<Api.Inbox>>} */
export function getInbox(workshopId) {
  return send("GET", `/workshops/${workshopId}/inbox`);
}

/** @param {string} workshopId @param {string[]} ids */
export function markInboxRead(workshopId, ids) {
  return send("POST", `/workshops/${workshopId}/inbox/read`, { body: { ids } });
}
