// Changes of a workshop since a cursor.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Changes} Changes */

/**
 * @param {string} workshopId
 * @param {{since?: string, limit?: number}} [query]
 * @returns {Promise<Changes>}
 */
export async function listChanges(workshopId, query = {}) {
  return (await send("GET", `/workshops/${workshopId}/changes`, { query })).data;
}
