// Plan and billing of a workshop.

import { send } from "./client.js";

/**
 * @param {string} workshopId
 * @returns {Promise<Api.WorkshopEntitlementsUsage>}
 */
export async function getEntitlements(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/entitlements`)).data;
}

/**
 * @param {string} workshopId
 * @returns {Promise<Api.WorkshopEntitlementsUsage>}
 */
export async function startTrial(workshopId) {
  return (await send("POST", `/workshops/${workshopId}/billing/trial`)).data;
}

/**
 * @param {string} workshopId
 * @returns {Promise<Api.CheckoutPage>}
 */
export async function createCheckout(workshopId) {
  return (await send("POST", `/workshops/${workshopId}/billing/checkout`)).data;
}

/**
 * @param {string} workshopId
 * @returns {Promise<Api.CheckoutPage>}
 */
export async function createPortal(workshopId) {
  return (await send("POST", `/workshops/${workshopId}/billing/portal`)).data;
}
