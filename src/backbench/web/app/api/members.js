// Members and invitations of a workshop.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").AddedInvitation} AddedInvitation */
/** @typedef {import("../../../../../types/shapes.d.ts").Invitation} Invitation */
/** @typedef {import("../../../../../types/shapes.d.ts").InvitationAddress} InvitationAddress */
/** @typedef {import("../../../../../types/shapes.d.ts").InvitationsList} InvitationsList */
/** @typedef {import("../../../../../types/shapes.d.ts").MemberEdit} MemberEdit */
/** @typedef {import("../../../../../types/shapes.d.ts").NewInvitation} NewInvitation */
/** @typedef {import("../../../../../types/shapes.d.ts").WorkshopMember} WorkshopMember */

/**
 * @param {string} workshopId
 * @returns {Promise<InvitationsList>}
 */
export async function listInvitations(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/invitations`)).data;
}

/**
 * @param {string} workshopId
 * @param {NewInvitation} body
 * @param {{key?: string}} [options]
 * @returns {Promise<AddedInvitation>}
 */
export async function createInvitation(workshopId, body, { key } = {}) {
  return (await send("POST", `/workshops/${workshopId}/invitations`, { body, key })).data;
}

/**
 * A further address of an invitation.
 * @param {string} invitationId
 * @param {{key?: string}} [options]
 * @returns {Promise<InvitationAddress>}
 */
export async function addInvitationAddress(invitationId, { key } = {}) {
  return (await send("POST", `/invitations/${invitationId}/addresses`, { key })).data;
}

/**
 * @param {string} invitationId
 * @returns {Promise<void>}
 */
export async function deleteInvitation(invitationId) {
  await send("DELETE", `/invitations/${invitationId}`);
}

/**
 * @param {string} workshopId
 * @param {string} userId
 * @param {MemberEdit} body
 * @returns {Promise<WorkshopMember>}
 */
export async function updateMember(workshopId, userId, body) {
  return (await send("PATCH", `/workshops/${workshopId}/members/${userId}`, { body })).data;
}

/**
 * @param {string} workshopId
 * @param {string} userId
 * @returns {Promise<void>}
 */
export async function deleteMember(workshopId, userId) {
  await send("DELETE", `/workshops/${workshopId}/members/${userId}`);
}
