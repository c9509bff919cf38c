// Workshops: profile, notes, document settings, audit trail.

import { send } from "./client.js";

/** @template T @typedef {import("./client.js").Answer<T>} Answer */

/**
 * `isPublic`: those of the account whose cookies this browser has.
 * @param {{isPublic?: boolean}} [options]
 * @returns {Promise<Api.WorkshopsList>}
 */
export async function listWorkshops({ isPublic = false } = {}) {
  return (await send("GET", "/workshops", { isPublic })).data;
}

/**
 * @param {Api.NewWorkshop} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.Workshop>}
 */
export async function createWorkshop(body, { key } = {}) {
  return (await send("POST", "/workshops", { body, key })).data;
}

/**
 * @param {string} workshopId
 * @returns {Promise<void>}
 */
export async function deleteWorkshop(workshopId) {
  await send("DELETE", `/workshops/${workshopId}`);
}

/**
 * @param {string} workshopId
 * @returns {Promise<Api.WorkshopContextDerived>}
 */
export async function synthesizeContext(workshopId) {
  return (await send("POST", `/workshops/${workshopId}/context/synthesis`)).data;
}

/**
 * @param {string} workshopId
 * @param {{limit?: number, cursor?: string}} [query]
 * @returns {Promise<Answer<Api.AuditTrail>>}
 */
export function listAuditEntries(workshopId, query = {}) {
  return send("GET", `/workshops/${workshopId}/audit`, { query });
}

/**
 * @param {string} workshopId
 * @param {{q?: string, limit?: number}} [query]
 * @returns {Promise<Api.RecipientsList>}
 */
export async function listRecipients(workshopId, query = {}) {
  return (await send("GET", `/workshops/${workshopId}/recipients`, { query })).data;
}
