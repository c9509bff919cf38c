// Customers.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Customer} Customer */
/** @typedef {import("../../../../../types/shapes.d.ts").CustomersList} CustomersList */
/** @typedef {import("../../../../../types/shapes.d.ts").CustomerHistory} CustomerHistory */
/** @typedef {import("../../../../../types/shapes.d.ts").Erasure} Erasure */
/** @template T @typedef {import("./client.js").Answer<T>} Answer */

/**
 * @param {string} workshopId
 * @param {{limit?: number, cursor?: string, q?: string}} query
 * @returns {Promise<Answer<CustomersList>>}
 */
export function listCustomers(workshopId, query) {
  return send("GET", `/workshops/${workshopId}/customers`, { query });
}

/** @param {string} id @param {{limit?: number, cursor?: string}} query @returns {Promise<Answer<CustomerHistory>>} */
export function customerHistory(id, query) {
  return send("GET", `/customers/${id}/history`, { query });
}

/** @param {string} id @param {string} fromId @returns {Promise<Answer<Customer>>} */
export function mergeCustomers(id, fromId) {
  return send("POST", `/customers/${id}/merge`, { body: { fromId } });
}

/** @param {string} id @param {string} fromId @returns {Promise<Answer<Customer>>} */
export function unmergeCustomers(id, fromId) {
  return send("POST", `/customers/${id}/unmerge`, { body: { fromId } });
}

/** @param {string} id @returns {Promise<Erasure>} */
export async function eraseCustomer(id) {
  return (await send("POST", `/customers/${id}/erase`, { body: {} })).data;
}
