// Codes of orders: the address of the status page, and the order of a code.

import { send } from "./client.js";

/** The address of the status page. @param {string} id @returns {Promise<string>} */
export async function getStatusLink(id) {
  return (await send("GET", `/orders/${id}/status-link`)).data.url;
}

/** Earlier addresses and printed codes end. @param {string} id @returns {Promise<string>} */
export async function renewStatusLink(id) {
  return (await send("POST", `/orders/${id}/status-link/renew`)).data.url;
}

/** The id of the order of a scanned code; "" where it is another workshop's. Throws Problem. @param {string} token @returns {Promise<string>} */
export async function findOrderOfCode(token) {
  const { headers } = await send("GET", "/client/order", { bearer: token, isPublic: true });
  return headers.get("Backbench-Order") ?? "";
}
