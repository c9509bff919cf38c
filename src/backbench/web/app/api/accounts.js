// Accounts and sessions: sign-in, sign-up, password, profile, API keys.

import { send } from "./client.js";

/**
 * @param {Api.Credentials} body
 * @returns {Promise<Api.SignedIn>}
 */
export async function signIn(body) {
  return (await send("POST", "/authenticate", { body, isPublic: true })).data;
}

/** @returns {Promise<void>} */
export async function signOut() {
  await send("POST", "/logout", { isPublic: true });
}

/**
 * @param {Api.NewAccount} body
 * @returns {Promise<void>}
 */
export async function signUp(body) {
  await send("POST", "/accounts", { body, isPublic: true });
}

/**
 * @param {Api.PasswordResetRequest} body
 * @returns {Promise<void>}
 */
export async function requestPasswordReset(body) {
  await send("POST", "/password-resets", { body, isPublic: true });
}

/**
 * @param {Api.VerificationRequest} body
 * @returns {Promise<void>}
 */
export async function resendVerification(body) {
  await send("POST", "/accounts/verify/resend", { body, isPublic: true });
}

/**
 * @param {Api.PasswordChange} body
 * @returns {Promise<void>}
 */
export async function changePassword(body) {
  await send("PUT", "/me/password", { body });
}

/**
 * @param {Api.AccountDeletion} body
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
 * @param {Api.NewFeedback} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.AccountDataExportFeedback>}
 */
export async function createFeedback(body, { key } = {}) {
  return (await send("POST", "/feedback", { body, key })).data;
}

/**
 * Of the account whose cookies this browser has.
 * @returns {Promise<import("./client.js").Answer<Api.MeProfile>>}
 */
export function getProfile() {
  return send("GET", "/me", { isPublic: true });
}

/** @returns {Promise<Api.AccountDataExport>} */
export async function exportAccount() {
  return (await send("GET", "/me/data-export")).data;
}

/** @returns {Promise<Blob>} */
export async function downloadArchive() {
  return (await send("GET", "/me/data-archive", { as: "blob" })).data;
}

/** @returns {Promise<Api.SessionsList>} */
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

/** @returns {Promise<Api.ApiKeysList>} */
export async function listApiKeys() {
  return (await send("GET", "/me/api-keys")).data;
}

/**
 * @param {Api.NewApiKey} body
 * @param {{key?: string}} [options]
 * @returns {Promise<Api.IssuedApiKey>}
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
