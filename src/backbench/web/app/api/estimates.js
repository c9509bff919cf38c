// Estimates, their line items, document facts and revisions.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").DocumentFacts} DocumentFacts */
/** @typedef {import("../../../../../types/shapes.d.ts").Estimate} Estimate */
/** @typedef {import("../../../../../types/shapes.d.ts").EstimateConfirmation} EstimateConfirmation */
/** @typedef {import("../../../../../types/shapes.d.ts").EstimateEdit} EstimateEdit */
/** @typedef {import("../../../../../types/shapes.d.ts").EstimateRevisionsList} EstimateRevisionsList */
/** @typedef {import("../../../../../types/shapes.d.ts").EstimateSummariesList} EstimateSummariesList */
/** @typedef {import("../../../../../types/shapes.d.ts").MostUsedLineItemsList} MostUsedLineItemsList */
/** @typedef {import("../../../../../types/shapes.d.ts").Order} Order */
/** @typedef {import("../../../../../types/shapes.d.ts").OrderFromEstimate} OrderFromEstimate */
/** @typedef {import("../../../../../types/shapes.d.ts").RevisionTotals} RevisionTotals */
/** @template T @typedef {import("./client.js").Answer<T>} Answer */
/** @typedef {{page?: number, locale?: string, breakdown?: boolean, showMarkup?: boolean, showDiscount?: boolean, showRecipient?: boolean, showBrandMark?: boolean, width?: number}} PageQuery */

/**
 * @param {string} workshopId
 * @param {{estimateId?: string, limit?: number, cursor?: string, q?: string, state?: string}} [query]
 * @returns {Promise<Answer<EstimateSummariesList>>}
 */
export function listEstimateSummaries(workshopId, query = {}) {
  return send("GET", `/workshops/${workshopId}/estimate-summaries`, { query });
}

/**
 * @param {string} estimateId
 * @returns {Promise<Answer<Estimate>>}
 */
export function getEstimate(estimateId) {
  return send("GET", `/estimates/${estimateId}`);
}

/**
 * @param {string} estimateId
 * @param {EstimateEdit} body
 * @param {{ifMatch?: string | null}} [options]
 * @returns {Promise<Answer<Estimate>>}
 */
export function updateEstimate(estimateId, body, { ifMatch } = {}) {
  return send("PATCH", `/estimates/${estimateId}`, { body, ifMatch });
}

/**
 * @param {string} estimateId
 * @param {{key?: string}} [options]
 * @returns {Promise<Answer<Estimate>>}
 */
export function duplicateEstimate(estimateId, { key } = {}) {
  return send("POST", `/estimates/${estimateId}/duplicate`, { key });
}

/**
 * @param {string} estimateId
 * @param {OrderFromEstimate} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Answer<Order>>}
 */
export function createOrderFromEstimate(estimateId, body, { key } = {}) {
  return send("POST", `/estimates/${estimateId}/orders`, { body, key });
}

/**
 * @param {string} workshopId
 * @param {{limit?: number}} [query]
 * @returns {Promise<MostUsedLineItemsList>}
 */
export async function listMostUsedLineItems(workshopId, query = {}) {
  return (await send("GET", `/workshops/${workshopId}/line-items/most-used`, { query })).data;
}

/**
 * @param {string} estimateId
 * @param {{key?: string, ifMatch?: string | null}} [options]
 * @returns {Promise<EstimateConfirmation>}
 */
export async function confirmEstimate(estimateId, { key, ifMatch } = {}) {
  return (await send("POST", `/estimates/${estimateId}/confirm`, { key, ifMatch })).data;
}

/**
 * @param {string} estimateId
 * @returns {Promise<EstimateRevisionsList>}
 */
export async function listRevisions(estimateId) {
  return (await send("GET", `/estimates/${estimateId}/revisions`)).data;
}

/**
 * @param {string} estimateId
 * @param {number} revisionNumber
 * @returns {Promise<RevisionTotals>}
 */
export async function getRevisionTotals(estimateId, revisionNumber) {
  return (await send("GET", `/estimates/${estimateId}/revisions/${revisionNumber}/totals`)).data;
}

/**
 * @param {string} estimateId
 * @param {PageQuery} [query]
 * @returns {Promise<Answer<Blob>>}
 */
export function previewEstimate(estimateId, query = {}) {
  return send("GET", `/estimates/${estimateId}/preview`, { query, as: "blob" });
}
