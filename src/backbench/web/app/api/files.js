// Files of a workshop.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").FileRecord} FileRecord */
/** @typedef {import("../../../../../types/shapes.d.ts").FilesList} FilesList */

/**
 * @param {FormData} form
 * @param {{key?: string}} [options]
 * @returns {Promise<FileRecord>}
 */
export async function uploadFile(form, { key } = {}) {
  return (await send("POST", "/files", { form, key })).data;
}

/**
 * @param {string} fileId
 * @returns {Promise<void>}
 */
export async function deleteFile(fileId) {
  await send("DELETE", `/files/${fileId}`);
}

/**
 * @param {string} workshopId
 * @returns {Promise<FilesList>}
 */
export async function listFiles(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/files`)).data;
}
