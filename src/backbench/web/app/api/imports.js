// Imports of files.

import { send } from "./client.js";

/** @typedef {Api.Import["kind"]} Kind */

/** @param {string} workshopId @returns {Promise<{ imports: Api.ImportSummary[] }>} */
export async function listImports(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/imports`)).data;
}

/** @param {string} workshopId @param {Kind} kind @param {File} file @param {{ key: string }} options @returns {Promise<Api.Import>} */
export async function createImport(workshopId, kind, file, { key }) {
  const form = new FormData();
  form.append("kind", kind);
  form.append("file", file, file.name);
  return (await send("POST", `/workshops/${workshopId}/imports`, { form, key })).data;
}

/** @param {string} id @param {{ mapping: Record<string, number | null> } | { answers: Record<string, string> }} body @returns {Promise<Api.Import>} */
export async function updateImport(id, body) {
  return (await send("PATCH", `/imports/${id}`, { body })).data;
}

/** @param {string} id @param {{ key: string }} options @returns {Promise<Api.ImportResult>} */
export async function runImport(id, { key }) {
  return (await send("POST", `/imports/${id}/run`, { key })).data;
}

/** @param {string} id @param {{ key: string }} options @returns {Promise<Api.UndoneImport>} */
export async function undoImport(id, { key }) {
  return (await send("POST", `/imports/${id}/undo`, { key })).data;
}
