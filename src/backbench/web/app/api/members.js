// Members and invitations of a workshop.

import { send } from "./client.js";

/**
 * @param {string} workshopId
 * @returns {Promise<Api.InvitationsList>}
 */
export async function listInvitations(workshopId) {
  return (await send("GET", `/workshops/${workshopId}/invitations`)).data;
}

/**
 * @param {string} workshopId
 * @param {Api.NewInvitation} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.AddedInvitation>}
 */
export async function createInvitation(workshopId, body, { key } = {}) {
  return (await send("POST", `/workshops/${workshopId}/invitations`, { body, key })).data;
}

/**
 * A further address of an invitation.
 * @param {string} invitationId
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.InvitationAddress>}
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
 * @param {Api.MemberEdit} body
 * @returns {Promise<Api.WorkshopMember>}
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
