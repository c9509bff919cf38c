// Files of a workshop.

import { send } from "./client.js";

/**
 * @param {FormData} form
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.FileRecord>}
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
 * @returns {Promise<Api.FilesList>}
 */
export async function listFiles(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/files`)).data;
}
