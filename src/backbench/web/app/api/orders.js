// Orders.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").OrdersList} OrdersList */
/** @template T @typedef {import("./client.js").Answer<T>} Answer */

/**
 * @param {string} workshopId
 * @param {{limit?: number, cursor?: string, status?: string, q?: string}} [query]
 * @returns {Promise<Answer<OrdersList>>}
 */
export function listOrders(workshopId, query = {}) {
  return send("GET", `/workshops/${workshopId}/orders`, { query });
}
