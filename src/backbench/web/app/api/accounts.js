// Accounts and sessions: sign-in, sign-up, password, profile, API keys.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").AccountDataExport} AccountDataExport */
/** @typedef {import("../../../../../types/shapes.d.ts").AccountDataExportFeedback} AccountDataExportFeedback */
/** @typedef {import("../../../../../types/shapes.d.ts").AccountDeletion} AccountDeletion */
/** @typedef {import("../../../../../types/shapes.d.ts").ApiKeysList} ApiKeysList */
/** @typedef {import("../../../../../types/shapes.d.ts").Credentials} Credentials */
/** @typedef {import("../../../../../types/shapes.d.ts").IssuedApiKey} IssuedApiKey */
/** @typedef {import("../../../../../types/shapes.d.ts").MeProfile} MeProfile */
/** @typedef {import("../../../../../types/shapes.d.ts").NewAccount} NewAccount */
/** @typedef {import("../../../../../types/shapes.d.ts").NewApiKey} NewApiKey */
/** @typedef {import("../../../../../types/shapes.d.ts").NewFeedback} NewFeedback */
/** @typedef {import("../../../../../types/shapes.d.ts").PasswordChange} PasswordChange */
/** @typedef {import("../../../../../types/shapes.d.ts").PasswordResetRequest} PasswordResetRequest */
/** @typedef {import("../../../../../types/shapes.d.ts").SessionsList} SessionsList */
/** @typedef {import("../../../../../types/shapes.d.ts").SignedIn} SignedIn */
/** @typedef {import("../../../../../types/shapes.d.ts").VerificationRequest} VerificationRequest */

/**
 * @param {Credentials} body
 * @returns {Promise<SignedIn>}
 */
export async function signIn(body) {
  return (await send("POST", "/authenticate", { body, isPublic: true })).data;
}

/** @returns {Promise<void>} */
export async function signOut() {
  await send("POST", "/logout", { isPublic: true });
}

/**
 * @param {NewAccount} body
 * @returns {Promise<void>}
 */
export async function signUp(body) {
  await send("POST", "/accounts", { body, isPublic: true });
}

/**
 * @param {PasswordResetRequest} body
 * @returns {Promise<void>}
 */
export async function requestPasswordReset(body) {
  await send("POST", "/password-resets", { body, isPublic: true });
}

/**
 * @param {VerificationRequest} body
 * @returns {Promise<void>}
 */
export async function resendVerification(body) {
  await send("POST", "/accounts/verify/resend", { body, isPublic: true });
}

/**
 * @param {PasswordChange} body
 * @returns {Promise<void>}
 */
export async function changePassword(body) {
  await send("PUT", "/me/password", { body });
}

/**
 * @param {AccountDeletion} body
 * @returns {Promise<void>}
 */
export async function deleteAccount(body) {
  await send("DELETE", "/me", { body, endsSession: true });
}

/** @returns {Promise<void>} */
export async function unlinkGoogle() {
  await send("DELETE", "/me/sign-in-methods/google");
}

/**
 * @param {NewFeedback} body
 * @param {{key?: string}} [options]
 * @returns {Promise<AccountDataExportFeedback>}
 */
export async function createFeedback(body, { key } = {}) {
  return (await send("POST", "/feedback", { body, key })).data;
}

/**
 * Of the account whose cookies this browser has.
 * @returns {Promise<import("./client.js").Answer<MeProfile>>}
 */
export function getProfile() {
  return send("GET", "/me", { isPublic: true });
}

/** @returns {Promise<AccountDataExport>} */
export async function exportAccount() {
  return (await send("GET", "/me/data-export")).data;
}

/** @returns {Promise<Blob>} */
export async function downloadArchive() {
  return (await send("GET", "/me/data-archive", { as: "blob" })).data;
}

/** @returns {Promise<SessionsList>} */
export async function listSessions() {
  return (await send("GET", "/me/sessions")).data;
}

/**
 * @param {string} sessionId
 * @returns {Promise<void>}
 */
export async function deleteSession(sessionId) {
  await send("DELETE", `/me/sessions/${sessionId}`);
}

/** @returns {Promise<ApiKeysList>} */
export async function listApiKeys() {
  return (await send("GET", "/me/api-keys")).data;
}

/**
 * @param {NewApiKey} body
 * @param {{key?: string}} [options]
 * @returns {Promise<IssuedApiKey>}
 */
export async function createApiKey(body, { key } = {}) {
  return (await send("POST", "/me/api-keys", { body, key })).data;
}

/**
 * @param {string} keyId
 * @returns {Promise<void>}
 */
export async function revokeApiKey(keyId) {
  await send("DELETE", `/me/api-keys/${keyId}`);
}
