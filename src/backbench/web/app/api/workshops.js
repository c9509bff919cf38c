// Workshops: profile, notes, document settings, audit trail.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").AuditTrail} AuditTrail */
/** @typedef {import("../../../../../types/shapes.d.ts").NewWorkshop} NewWorkshop */
/** @typedef {import("../../../../../types/shapes.d.ts").RecipientsList} RecipientsList */
/** @typedef {import("../../../../../types/shapes.d.ts").Workshop} Workshop */
/** @typedef {import("../../../../../types/shapes.d.ts").WorkshopContextDerived} WorkshopContextDerived */
/** @typedef {import("../../../../../types/shapes.d.ts").WorkshopsList} WorkshopsList */
/** @template T @typedef {import("./client.js").Answer<T>} Answer */

/**
 * `isPublic`: those of the account whose cookies this browser has.
 * @param {{isPublic?: boolean}} [options]
 * @returns {Promise<WorkshopsList>}
 */
export async function listWorkshops({ isPublic = false } = {}) {
  return (await send("GET", "/workshops", { isPublic })).data;
}

/**
 * @param {NewWorkshop} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Workshop>}
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
 * @returns {Promise<WorkshopContextDerived>}
 */
export async function synthesizeContext(workshopId) {
  return (await send("POST", `/workshops/${workshopId}/context/synthesis`)).data;
}

/**
 * @param {string} workshopId
 * @param {{limit?: number, cursor?: string}} [query]
 * @returns {Promise<Answer<AuditTrail>>}
 */
export function listAuditEntries(workshopId, query = {}) {
  return send("GET", `/workshops/${workshopId}/audit`, { query });
}

/**
 * @param {string} workshopId
 * @param {{q?: string, limit?: number}} [query]
 * @returns {Promise<RecipientsList>}
 */
export async function listRecipients(workshopId, query = {}) {
  return (await send("GET", `/workshops/${workshopId}/recipients`, { query })).data;
}
