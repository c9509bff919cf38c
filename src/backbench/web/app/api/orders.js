// Orders.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").NewOrder} NewOrder */
/** @typedef {import("../../../../../types/shapes.d.ts").Order} Order */
/** @typedef {import("../../../../../types/shapes.d.ts").OrderEdit} OrderEdit */
/** @typedef {import("../../../../../types/shapes.d.ts").OrderMove} OrderMove */
/** @typedef {import("../../../../../types/shapes.d.ts").OrderResponse} OrderResponse */
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

/**
 * @param {string} workshopId
 * @param {NewOrder} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Answer<Order>>}
 */
export function createOrder(workshopId, body, { key } = {}) {
  return send("POST", `/workshops/${workshopId}/orders`, { body, key });
}

/**
 * @param {string} orderId
 * @returns {Promise<Answer<OrderResponse>>}
 */
export function getOrder(orderId) {
  return send("GET", `/orders/${orderId}`);
}

/**
 * @param {string} orderId
 * @param {OrderEdit} body
 * @param {{ifMatch?: string | null}} [options]
 * @returns {Promise<Answer<Order>>}
 */
export function updateOrder(orderId, body, { ifMatch } = {}) {
  return send("PATCH", `/orders/${orderId}`, { body, ifMatch });
}

/**
 * @param {string} orderId
 * @returns {Promise<void>}
 */
export async function deleteOrder(orderId) {
  await send("DELETE", `/orders/${orderId}`);
}

/**
 * @param {string} orderId
 * @param {OrderMove} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Answer<Order>>}
 */
export function moveOrder(orderId, body, { key } = {}) {
  return send("PATCH", `/orders/${orderId}/status`, { body, key });
}
