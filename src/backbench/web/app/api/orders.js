// Orders.

import { send } from "./client.js";

/** @template T @typedef {import("./client.js").Answer<T>} Answer */

/**
 * @param {string} workshopId
 * @param {{limit?: number, cursor?: string, status?: string, q?: string}} [query]
 * @returns {Promise<Answer<Api.OrdersList>>}
 */
export function listOrders(workshopId, query = {}) {
  return send("GET", `/workshops/${workshopId}/orders`, { query });
}

/**
 * @param {string} workshopId
 * @param {{limit?: number, cursor?: string, collected?: "true" | "false", owed?: "true", ids?: string, customerId?: string, q?: string}} [query]
 * @returns {Promise<Answer<Api.OrderSummariesList>>}
 */
export function listOrderSummaries(workshopId, query = {}) {
  return send("GET", `/workshops/${workshopId}/order-summaries`, { query });
}

/**
 * @param {string} id
 * @param {Api.NewOrderMessage} body
 * @returns {Promise<Api.OrderMessage>}
 */
export async function draftOrderMessage(id, body) {
  return (await send("POST", `/orders/${id}/message-draft`, { body })).data;
}

/** @returns {Promise<Api.IntakeWords>} */
export async function listIntakeWords() {
  return (await send("GET", "/catalog/intake")).data;
}
