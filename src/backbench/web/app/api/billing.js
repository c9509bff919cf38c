// Plan and billing of a workshop.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").CheckoutPage} CheckoutPage */
/** @typedef {import("../../../../../types/shapes.d.ts").WorkshopEntitlementsUsage} WorkshopEntitlementsUsage */

/**
 * @param {string} workshopId
 * @returns {Promise<WorkshopEntitlementsUsage>}
 */
export async function getEntitlements(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/entitlements`)).data;
}

/**
 * @param {string} workshopId
 * @returns {Promise<WorkshopEntitlementsUsage>}
 */
export async function startTrial(workshopId) {
  return (await send("POST", `/workshops/${workshopId}/billing/trial`)).data;
}

/**
 * @param {string} workshopId
 * @returns {Promise<CheckoutPage>}
 */
export async function createCheckout(workshopId) {
  return (await send("POST", `/workshops/${workshopId}/billing/checkout`)).data;
}

/**
 * @param {string} workshopId
 * @returns {Promise<CheckoutPage>}
 */
export async function createPortal(workshopId) {
  return (await send("POST", `/workshops/${workshopId}/billing/portal`)).data;
}
