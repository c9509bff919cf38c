// Links of an estimate, comments on them, and decisions of clients.

import { send } from "./client.js";
import { address } from "./early.js";

/** @typedef {import("../../../../../types/shapes.d.ts").CommentsList} CommentsList */
/** @typedef {import("../../../../../types/shapes.d.ts").Decision} Decision */
/** @typedef {import("../../../../../types/shapes.d.ts").DecisionsList} DecisionsList */
/** @typedef {import("../../../../../types/shapes.d.ts").EstimateComment} EstimateComment */
/** @typedef {import("../../../../../types/shapes.d.ts").LinkMail} LinkMail */
/** @typedef {import("../../../../../types/shapes.d.ts").LinksList} LinksList */
/** @typedef {import("../../../../../types/shapes.d.ts").NewDecision} NewDecision */
/** @typedef {import("../../../../../types/shapes.d.ts").NewLink} NewLink */
/** @typedef {import("../../../../../types/shapes.d.ts").SharedLink} SharedLink */

/**
 * @param {string} estimateId
 * @returns {Promise<LinksList>}
 */
export async function listLinks(estimateId) {
  return (await send("GET", `/estimates/${estimateId}/links`)).data;
}

/**
 * @param {string} estimateId
 * @param {NewLink} body
 * @param {{key?: string}} [options]
 * @returns {Promise<SharedLink>}
 */
export async function createLink(estimateId, body, { key } = {}) {
  return (await send("POST", `/estimates/${estimateId}/links`, { body, key })).data;
}

/**
 * The same addresses show another revision from now on.
 * @param {string} linkId
 * @param {{revisionNumber: number}} body
 * @returns {Promise<{link: SharedLink["link"]}>}
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
 * @param {LinkMail} body
 * @param {{key?: string}} [options]
 * @returns {Promise<number>} how many more the server would mail now; Infinity where it does not say
 */
export async function mailLink(linkId, body, { key } = {}) {
  const { headers } = await send("POST", `/links/${linkId}/mail`, { body, key });
  return Number(/"links";r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1] ?? Infinity);
}

/**
 * @param {string} estimateId
 * @returns {Promise<CommentsList>}
 */
export async function listComments(estimateId) {
  return (await send("GET", `/estimates/${estimateId}/comments`)).data;
}

/**
 * @param {string} linkId
 * @param {string} text
 * @param {{key?: string}} [options]
 * @returns {Promise<EstimateComment>}
 */
export async function answerComment(linkId, text, { key } = {}) {
  return (await send("POST", `/links/${linkId}/comments`, { body: { text }, key })).data;
}

/**
 * @param {string} estimateId
 * @returns {Promise<DecisionsList>}
 */
export async function listDecisions(estimateId) {
  return (await send("GET", `/estimates/${estimateId}/decisions`)).data;
}

/**
 * @param {string} estimateId
 * @param {NewDecision} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Decision>}
 */
export async function recordDecision(estimateId, body, { key } = {}) {
  return (await send("POST", `/estimates/${estimateId}/decisions`, { body, key })).data;
}

/**
 * @param {string} decisionId
 * @param {string} reason
 * @param {{key?: string}} [options]
 * @returns {Promise<Decision>}
 */
export async function voidDecision(decisionId, reason, { key } = {}) {
  return (await send("POST", `/decisions/${decisionId}/void`, { body: { reason }, key })).data;
}

/** The address of the certificate, a PDF. @param {string} decisionId */
export function certificateAddress(decisionId) {
  return address(`/decisions/${decisionId}/certificate`);
}
