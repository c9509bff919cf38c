// Grids and their buttons.

import { send } from "./client.js";

/** @template T @typedef {import("./client.js").Answer<T>} Answer */

/**
 * @param {string} workshopId
 * @returns {Promise<Api.GridsList>}
 */
export async function listGrids(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/grids`)).data;
}

/**
 * @param {string} workshopId
 * @param {Api.GridOrder} body
 * @returns {Promise<Api.GridsList>}
 */
export async function reorderGrids(workshopId, body) {
  return (await send("PUT", `/workshops/${workshopId}/grids/order`, { body })).data;
}

/**
 * @param {string} gridId
 * @param {Api.AddedButtons} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Answer<Api.Grid>>}
 */
export function addGridButtons(gridId, body, { key } = {}) {
  return send("POST", `/grids/${gridId}/buttons`, { body, key });
}
