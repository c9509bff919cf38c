// Hand-offs and message drafts.

import { send } from "./client.js";

/**
 * @param {string} estimateId
 * @returns {Promise<Api.HandoffsList>}
 */
export async function listHandoffs(estimateId) {
  return (await send("GET", `/estimates/${estimateId}/handoffs`)).data;
}

/**
 * @param {string} estimateId
 * @param {Api.NewHandoff} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.Handoff>}
 */
export async function createHandoff(estimateId, body, { key } = {}) {
  return (await send("POST", `/estimates/${estimateId}/handoffs`, { body, key })).data;
}

/**
 * @param {string} estimateId
 * @param {Api.NewMessageDraft} body
 * @returns {Promise<Api.DraftedMessage>}
 */
export async function draftMessage(estimateId, body) {
  return (await send("POST", `/estimates/${estimateId}/message-draft`, { body })).data;
}
