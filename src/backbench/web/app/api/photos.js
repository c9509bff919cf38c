// Photos of an order.

import { send } from "./client.js";

/** @param {string} orderId @param {FormData} form @param {{key: string}} options @returns {Promise<Api.Photo>} */
export async function uploadPhoto(orderId, form, { key }) {
  return (await send("POST", `/orders/${orderId}/photos`, { form, key })).data;
}
