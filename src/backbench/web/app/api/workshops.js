// Workshops: profile, notes, document settings, audit trail.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").AuditTrail} AuditTrail */
/** @typedef {import("../../../../../types/shapes.d.ts").ContextEdit} ContextEdit */
/** @typedef {import("../../../../../types/shapes.d.ts").DocumentSettings} DocumentSettings */
/** @typedef {import("../../../../../types/shapes.d.ts").NewWorkshop} NewWorkshop */
/** @typedef {import("../../../../../types/shapes.d.ts").RecipientsList} RecipientsList */
/** @typedef {import("../../../../../types/shapes.d.ts").Workshop} Workshop */
/** @typedef {import("../../../../../types/shapes.d.ts").WorkshopContext} WorkshopContext */
/** @typedef {import("../../../../../types/shapes.d.ts").WorkshopContextDerived} WorkshopContextDerived */
/** @typedef {import("../../../../../types/shapes.d.ts").WorkshopEdit} WorkshopEdit */
/** @typedef {import("../../../../../types/shapes.d.ts").WorkshopsList} WorkshopsList */
/** @template T @typedef {import("./client.js").Answer<T>} Answer */

/** @returns {Promise<WorkshopsList>} */
export async function listWorkshops() {
  return (await send("GET", "/workshops")).data;
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
 * @returns {Promise<Answer<Workshop>>}
 */
export function getWorkshop(workshopId) {
  return send("GET", `/workshops/${workshopId}`);
}

/**
 * @param {string} workshopId
 * @param {WorkshopEdit} body
 * @returns {Promise<Workshop>}
 */
export async function updateWorkshop(workshopId, body) {
  return (await send("PATCH", `/workshops/${workshopId}`, { body })).data;
}

/**
 * As `updateWorkshop`, with the tag of the answer.
 * @param {string} workshopId
 * @param {WorkshopEdit} body
 * @param {{ifMatch?: string | null}} [options]
 * @returns {Promise<Answer<Workshop>>}
 */
export function updateWorkshopOf(workshopId, body, { ifMatch } = {}) {
  return send("PATCH", `/workshops/${workshopId}`, { body, ifMatch });
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
 * @param {ContextEdit} body
 * @returns {Promise<WorkshopContext>}
 */
export async function replaceContext(workshopId, body) {
  return (await send("PUT", `/workshops/${workshopId}/context`, { body })).data;
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
 * @returns {Promise<Answer<DocumentSettings>>}
 */
export function getDocumentSettings(workshopId) {
  return send("GET", `/workshops/${workshopId}/document-settings`);
}

/**
 * @param {string} workshopId
 * @param {DocumentSettings} body
 * @param {{ifMatch?: string | null}} [options]
 * @returns {Promise<Answer<DocumentSettings>>}
 */
export function replaceDocumentSettings(workshopId, body, { ifMatch } = {}) {
  return send("PUT", `/workshops/${workshopId}/document-settings`, { body, ifMatch });
}

/**
 * @param {string} workshopId
 * @param {{q?: string, limit?: number}} [query]
 * @returns {Promise<RecipientsList>}
 */
export async function listRecipients(workshopId, query = {}) {
  return (await send("GET", `/workshops/${workshopId}/recipients`, { query })).data;
}
