// Webhooks: addresses of other programs that hear of changes, and what was sent to them.

import { send } from "./client.js";

/** @typedef {{key?: string}} Options */

/** @param {string} workshopId @returns {Promise<Api.WebhooksList>} */
export async function listWebhooks(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/webhooks`)).data;
}

/** @param {string} workshopId @param {Api.NewWebhook} body @param {Options} [options] @returns {Promise<Api.AddedWebhook>} */
export async function createWebhook(workshopId, body, { key } = {}) {
  return (await send("POST", `/workshops/${workshopId}/webhooks`, { body, key })).data;
}

/** @param {string} webhookId @param {Api.WebhookEdit} body @returns {Promise<Api.Webhook>} */
export async function updateWebhook(webhookId, body) {
  return (await send("PATCH", `/webhooks/${webhookId}`, { body })).data;
}

/** @param {string} webhookId @returns {Promise<void>} */
export async function deleteWebhook(webhookId) {
  await send("DELETE", `/webhooks/${webhookId}`);
}

/** @param {string} webhookId @param {Options} [options] @returns {Promise<Api.WebhookSecret>} */
export async function rotateWebhookSecret(webhookId, { key } = {}) {
  return (await send("POST", `/webhooks/${webhookId}/rotate`, { key })).data;
}

/** @param {string} webhookId @param {Options} [options] @returns {Promise<void>} */
export async function testWebhook(webhookId, { key } = {}) {
  await send("POST", `/webhooks/${webhookId}/test`, { key });
}

/** @param {string} webhookId @param {string} since @param {Options} [options] @returns {Promise<void>} */
export async function replayWebhook(webhookId, since, { key } = {}) {
  await send("POST", `/webhooks/${webhookId}/replay`, { body: { since }, key });
}

/** @param {string} webhookId @returns {Promise<Api.DeliveriesList>} */
export async function listDeliveries(webhookId) {
  return (await send("GET", `/webhooks/${webhookId}/deliveries`)).data;
}

/** @param {string} deliveryId @param {Options} [options] @returns {Promise<void>} */
export async function resendDelivery(deliveryId, { key } = {}) {
  await send("POST", `/deliveries/${deliveryId}/resend`, { key });
}
