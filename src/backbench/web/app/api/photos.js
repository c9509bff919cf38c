// Photos of an order.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Photo} Photo */
/** @typedef {import("../../../../../types/shapes.d.ts").PhotosList} PhotosList */

/** @param {string} orderId @param {FormData} form @param {{key: string}} options @returns {Promise<Photo>} */
export async function uploadPhoto(orderId, form, { key }) {
  return (await send("POST", `/orders/${orderId}/photos`, { form, key })).data;
}

/** @param {string} orderId @returns {Promise<PhotosList>} */
export async function listPhotos(orderId) {
  return (await send("GET", `/orders/${orderId}/photos`)).data;
}
