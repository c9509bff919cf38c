// PDF exports and the images of their pages.

import { send } from "./client.js";

/** @template T @typedef {import("./client.js").Answer<T>} Answer */

/**
 * @param {string} estimateId
 * @returns {Promise<Api.PdfExportsList>}
 */
export async function listPdfExports(estimateId) {
  return (await send("GET", `/estimates/${estimateId}/pdf-exports`)).data;
}

/**
 * @param {string} estimateId
 * @param {Api.NewPdfExport} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.PdfExport>}
 */
export async function createPdfExport(estimateId, body, { key } = {}) {
  return (await send("POST", `/estimates/${estimateId}/pdf-exports`, { body, key })).data;
}

/**
 * @param {string} estimateId
 * @param {string} pdfExportId
 * @returns {Promise<Blob>}
 */
export async function downloadPdfExport(estimateId, pdfExportId) {
  return (await send("GET", `/estimates/${estimateId}/pdf-exports/${pdfExportId}`, { as: "blob" })).data;
}

/**
 * @param {string} estimateId
 * @param {string} pdfExportId
 * @param {number} pageNumber
 * @param {{width?: number}} [query]
 * @returns {Promise<Answer<Blob>>}
 */
export function getPdfExportPage(estimateId, pdfExportId, pageNumber, query = {}) {
  return send("GET", `/estimates/${estimateId}/pdf-exports/${pdfExportId}/pages/${pageNumber}`, {
    query,
    as: "blob",
  });
}
