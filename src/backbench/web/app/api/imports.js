// Imports of files.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Import} Import */
/** @typedef {import("../../../../../types/shapes.d.ts").ImportSummary} ImportSummary */
/** @typedef {import("../../../../../types/shapes.d.ts").ImportResult} ImportResult */
/** @typedef {import("../../../../../types/shapes.d.ts").UndoneImport} UndoneImport */
/** @typedef {Import["kind"]} Kind */

/** @param {string} workshopId @returns {Promise<{ imports: ImportSummary[] }>} */
export async function listImports(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/imports`)).data;
}

/** @param {string} workshopId @param {Kind} kind @param {File} file @param {{ key: string }} options @returns {Promise<Import>} */
export async function createImport(workshopId, kind, file, { key }) {
  const form = new FormData();
  form.append("kind", kind);
  form.append("file", file, file.name);
  return (await send("POST", `/workshops/${workshopId}/imports`, { form, key })).data;
}

/** @param {string} id @param {{ mapping: Record<string, number | null> } | { answers: Record<string, string> }} body @returns {Promise<Import>} */
export async function updateImport(id, body) {
  return (await send("PATCH", `/imports/${id}`, { body })).data;
}

/** @param {string} id @param {{ key: string }} options @returns {Promise<ImportResult>} */
export async function runImport(id, { key }) {
  return (await send("POST", `/imports/${id}/run`, { key })).data;
}

/** @param {string} id @param {{ key: string }} options @returns {Promise<UndoneImport>} */
export async function undoImport(id, { key }) {
  return (await send("POST", `/imports/${id}/undo`, { key })).data;
}
