// Customers.

import { send } from "./client.js";

/** @template T @typedef {import("./client.js").Answer<T>} Answer */

/**
 * @param {string} workshopId
 * @param {{limit?: number, cursor?: string, q?: string}} query
 * @returns {Promise<Answer<Api.CustomersList>>}
 */
export function listCustomers(workshopId, query) {
  return send("GET", `/workshops/${workshopId}/customers`, { query });
}

/** @param {string} id @param {{limit?: number, cursor?: string}} query @returns {Promise<Answer<Api.CustomerHistory>>} */
export function customerHistory(id, query) {
  return send("GET", `/customers/${id}/history`, { query });
}

/** @param {string} id @param {string} fromId @returns {Promise<Answer<Api.Customer>>} */
export function mergeCustomers(id, fromId) {
  return send("POST", `/customers/${id}/merge`, { body: { fromId } });
}

/** @param {string} id @param {string} fromId @returns {Promise<Answer<Api.Customer>>} */
export function unmergeCustomers(id, fromId) {
  return send("POST", `/customers/${id}/unmerge`, { body: { fromId } });
}

/** @param {string} id @returns {Promise<Api.Erasure>} */
export async function eraseCustomer(id) {
  return (await send("POST", `/customers/${id}/erase`, { body: {} })).data;
}
