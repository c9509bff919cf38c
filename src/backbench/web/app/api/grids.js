// Grids and their buttons.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").AddedButtons} AddedButtons */
/** @typedef {import("../../../../../types/shapes.d.ts").Grid} Grid */
/** @typedef {import("../../../../../types/shapes.d.ts").GridOrder} GridOrder */
/** @typedef {import("../../../../../types/shapes.d.ts").GridsList} GridsList */
/** @template T @typedef {import("./client.js").Answer<T>} Answer */

/**
 * @param {string} workshopId
 * @returns {Promise<GridsList>}
 */
export async function listGrids(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/grids`)).data;
}

/**
 * @param {string} workshopId
 * @param {GridOrder} body
 * @returns {Promise<GridsList>}
 */
export async function reorderGrids(workshopId, body) {
  return (await send("PUT", `/workshops/${workshopId}/grids/order`, { body })).data;
}

/**
 * @param {string} gridId
 * @param {AddedButtons} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Answer<Grid>>}
 */
export function addGridButtons(gridId, body, { key } = {}) {
  return send("POST", `/grids/${gridId}/buttons`, { body, key });
}
