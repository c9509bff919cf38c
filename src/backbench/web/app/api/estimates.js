// Estimates, their line items, document facts and revisions.

import { send } from "./client.js";

/** @template T @typedef {import("./client.js").Answer<T>} Answer */
/** @typedef {{page?: number, locale?: string, breakdown?: boolean, showMarkup?: boolean, showDiscount?: boolean, showRecipient?: boolean, showBrandMark?: boolean, width?: number}} PageQuery */

/**
 * @param {string} workshopId
 * @param {{estimateId?: string, limit?: number, cursor?: string, q?: string, state?: string}} [query]
 * @returns {Promise<Answer<Api.EstimateSummariesList>>}
 */
export function listEstimateSummaries(workshopId, query = {}) {
  return send("GET", `/workshops/${workshopId}/estimate-summaries`, { query });
}

/**
 * @param {string} estimateId
 * @returns {Promise<Answer<Api.Estimate>>}
 */
export function getEstimate(estimateId) {
  return send("GET", `/estimates/${estimateId}`);
}

/**
 * @param {string} estimateId
 * @param {Api.EstimateEdit} body
 * @param {{ifMatch?: string | null}} [options]
 * @returns {Promise<Answer<Api.Estimate>>}
 */
export function updateEstimate(estimateId, body, { ifMatch } = {}) {
  return send("PATCH", `/estimates/${estimateId}`, { body, ifMatch });
}

/**
 * @param {string} estimateId
 * @param {{key?: string}} [options]
 * @returns {Promise<Answer<Api.Estimate>>}
 */
export function duplicateEstimate(estimateId, { key } = {}) {
  return send("POST", `/estimates/${estimateId}/duplicate`, { key });
}

/**
 * @param {string} estimateId
 * @param {Api.OrderFromEstimate} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Answer<Api.Order>>}
 */
export function createOrderFromEstimate(estimateId, body, { key } = {}) {
  return send("POST", `/estimates/${estimateId}/orders`, { body, key });
}

/**
 * @param {string} workshopId
 * @param {{limit?: number}} [query]
 * @returns {Promise<Api.MostUsedLineItemsList>}
 */
export async function listMostUsedLineItems(workshopId, query = {}) {
  return (await send("GET", `/workshops/${workshopId}/line-items/most-used`, { query })).data;
}

/**
 * @param {string} estimateId
 * @param {{key?: string, ifMatch?: string | null}} [options]
 * @returns {Promise<Api.EstimateConfirmation>}
 */
export async function confirmEstimate(estimateId, { key, ifMatch } = {}) {
  return (await send("POST", `/estimates/${estimateId}/confirm`, { key, ifMatch })).data;
}

/**
 * @param {string} estimateId
 * @returns {Promise<Api.EstimateRevisionsList>}
 */
export async function listRevisions(estimateId) {
  return (await send("GET", `/estimates/${estimateId}/revisions`)).data;
}

/**
 * @param {string} estimateId
 * @param {number} revisionNumber
 * @returns {Promise<Api.RevisionTotals>}
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
