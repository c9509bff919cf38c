// Hand-offs and message drafts.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").DraftedMessage} DraftedMessage */
/** @typedef {import("../../../../../types/shapes.d.ts").Handoff} Handoff */
/** @typedef {import("../../../../../types/shapes.d.ts").HandoffsList} HandoffsList */
/** @typedef {import("../../../../../types/shapes.d.ts").NewHandoff} NewHandoff */
/** @typedef {import("../../../../../types/shapes.d.ts").NewMessageDraft} NewMessageDraft */

/**
 * @param {string} estimateId
 * @returns {Promise<HandoffsList>}
 */
export async function listHandoffs(estimateId) {
  return (await send("GET", `/estimates/${estimateId}/handoffs`)).data;
}

/**
 * @param {string} estimateId
 * @param {NewHandoff} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Handoff>}
 */
export async function createHandoff(estimateId, body, { key } = {}) {
  return (await send("POST", `/estimates/${estimateId}/handoffs`, { body, key })).data;
}

/**
 * @param {string} estimateId
 * @param {NewMessageDraft} body
 * @returns {Promise<DraftedMessage>}
 */
export async function draftMessage(estimateId, body) {
  return (await send("POST", `/estimates/${estimateId}/message-draft`, { body })).data;
}
