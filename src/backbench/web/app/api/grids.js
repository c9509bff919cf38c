// Grids and their buttons.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").AddedButtons} AddedButtons */
/** @typedef {import("../../../../../types/shapes.d.ts").Grid} Grid */
/** @typedef {import("../../../../../types/shapes.d.ts").GridEdit} GridEdit */
/** @typedef {import("../../../../../types/shapes.d.ts").GridOrder} GridOrder */
/** @typedef {import("../../../../../types/shapes.d.ts").GridsList} GridsList */
/** @typedef {import("../../../../../types/shapes.d.ts").NewGrid} NewGrid */
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
 * @param {NewGrid} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Answer<Grid>>}
 */
export function createGrid(workshopId, body, { key } = {}) {
  return send("POST", `/workshops/${workshopId}/grids`, { body, key });
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

/**
 * @param {string} gridId
 * @returns {Promise<Answer<Grid>>}
 */
export function getGrid(gridId) {
  return send("GET", `/grids/${gridId}`);
}

/**
 * @param {string} gridId
 * @param {GridEdit} body
 * @param {{ifMatch?: string | null}} [options]
 * @returns {Promise<Answer<Grid>>}
 */
export function updateGrid(gridId, body, { ifMatch } = {}) {
  return send("PATCH", `/grids/${gridId}`, { body, ifMatch });
}

/**
 * @param {string} gridId
 * @returns {Promise<void>}
 */
export async function deleteGrid(gridId) {
  await send("DELETE", `/grids/${gridId}`);
}
