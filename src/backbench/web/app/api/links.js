// Links of an estimate, comments on them, and decisions of clients.

import { send } from "./client.js";
import { address } from "./early.js";

/**
 * @param {string} estimateId
 * @returns {Promise<Api.LinksList>}
 */
export async function listLinks(estimateId) {
  return (await send("GET", `/estimates/${estimateId}/links`)).data;
}

/**
 * @param {string} estimateId
 * @param {Api.NewLink} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.SharedLink>}
 */
export async function createLink(estimateId, body, { key } = {}) {
  return (await send("POST", `/estimates/${estimateId}/links`, { body, key })).data;
}

/**
 * The same addresses show another revision from now on.
 * @param {string} linkId
 * @param {{revisionNumber: number}} body
 * @returns {Promise<{link: Api.SharedLink["link"]}>}
 */
export async function moveLink(linkId, body) {
  return (await send("PATCH", `/links/${linkId}`, { body })).data;
}

/**
 * A further address of a link.
 * @param {string} linkId
 * @param {{key?: string}} [options]
 * @returns {Promise<{url: string}>}
 */
export async function createAddress(linkId, { key } = {}) {
  return (await send("POST", `/links/${linkId}/addresses`, { key })).data;
}

/**
 * @param {string} linkId
 * @param {{keepalive?: boolean}} [options] `keepalive`: also while the page is closed
 * @returns {Promise<void>}
 */
export async function revokeLink(linkId, { keepalive = false } = {}) {
  await send("DELETE", `/links/${linkId}`, { keepalive });
}

/**
 * @param {string} linkId
 * @param {Api.LinkMail} body
 * @param {{key?: string}} [options]
 * @returns {Promise<number>} how many more the server would mail now; Infinity where it does not say
 */
export async function mailLink(linkId, body, { key } = {}) {
  const { headers } = await send("POST", `/links/${linkId}/mail`, { body, key });
  return Number(/"links";r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1] ?? Infinity);
}

/**
 * @param {string} estimateId
 * @returns {Promise<Api.CommentsList>}
 */
export async function listComments(estimateId) {
  return (await send("GET", `/estimates/${estimateId}/comments`)).data;
}

/**
 * @param {string} linkId
 * @param {string} text
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.EstimateComment>}
 */
export async function answerComment(linkId, text, { key } = {}) {
  return (await send("POST", `/links/${linkId}/comments`, { body: { text }, key })).data;
}

/**
 * @param {string} estimateId
 * @returns {Promise<Api.DecisionsList>}
 */
export async function listDecisions(estimateId) {
  return (await send("GET", `/estimates/${estimateId}/decisions`)).data;
}

/**
 * @param {string} estimateId
 * @param {Api.NewDecision} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.Decision>}
 */
export async function recordDecision(estimateId, body, { key } = {}) {
  return (await send("POST", `/estimates/${estimateId}/decisions`, { body, key })).data;
}

/**
 * @param {string} decisionId
 * @param {string} reason
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.Decision>}
 */
export async function voidDecision(decisionId, reason, { key } = {}) {
  return (await send("POST", `/decisions/${decisionId}/void`, { body: { reason }, key })).data;
}

/** The address of the certificate, a PDF. @param {string} decisionId */
export function certificateAddress(decisionId) {
  return address(`/decisions/${decisionId}/certificate`);
}
