// Push messages: the key of the service, and the subscriptions of the account.

import { send } from "./client.js";

const PATH = "/me/push-subscriptions";

/** @returns {Promise<string>} */
export async function getPushKey() {
  return (await send("GET", "/push/key")).data.key;
}

/** @returns {Promise<Api.PushSubscriptionsList>} */
export async function listPushSubscriptions() {
  return (await send("GET", PATH)).data;
}

/** The same endpoint again changes its subscription. @param {Api.NewPushSubscription} body @returns {Promise<Api.PushSubscription>} */
export async function createPushSubscription(body) {
  return (await send("POST", PATH, { body })).data;
}

/** @param {string} subscriptionId @returns {Promise<void>} */
export async function deletePushSubscription(subscriptionId) {
  await send("DELETE", `${PATH}/${subscriptionId}`);
}

/** @param {string} subscriptionId @returns {Promise<void>} */
export async function testPushSubscription(subscriptionId) {
  await send("POST", `${PATH}/${subscriptionId}/test`);
}
