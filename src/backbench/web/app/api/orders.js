// Orders.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").OrdersList} OrdersList */
/** @typedef {import("../../../../../types/shapes.d.ts").OrderSummariesList} OrderSummariesList */
/** @template T @typedef {import("./client.js").Answer<T>} Answer */

/**
 * @param {string} workshopId
 * @param {{limit?: number, cursor?: string, status?: string, q?: string}} [query]
 * @returns {Promise<Answer<OrdersList>>}
 */
export function listOrders(workshopId, query = {}) {
  return send("GET", `/workshops/${workshopId}/orders`, { query });
}

/**
 * @param {string} workshopId
 * @param {{limit?: number, cursor?: string, collected?: "true" | "false", owed?: "true", ids?: string, customerId?: string, q?: string}} [query]
 * @returns {Promise<Answer<OrderSummariesList>>}
 */
export function listOrderSummaries(workshopId, query = {}) {
  return send("GET", `/workshops/${workshopId}/order-summaries`, { query });
}

/**
 * @param {string} id
 * @param {import("../../../../../types/shapes.d.ts").NewOrderMessage} body
 * @returns {Promise<import("../../../../../types/shapes.d.ts").OrderMessage>}
 */
export async function draftOrderMessage(id, body) {
  return (await send("POST", `/orders/${id}/message-draft`, { body })).data;
}

/** @returns {Promise<import("../../../../../types/shapes.d.ts").IntakeWords>} */
export async function listIntakeWords() {
  return (await send("GET", "/catalog/intake")).data;
}
