// Agent key: an API key with the scopes that an agent's tools need, for the workshop that is shown.

import { createApiKey, listApiKeys, revokeApiKey } from "../../../../api/accounts.js";
import { madeOnce, newest } from "../../common/made-once.js";

/** @typedef {import("../../../../../../../../types/shapes.d.ts").NewApiKey} NewApiKey */
/** `now`: milliseconds, of when the sheet was opened. @typedef {{ name: string, may: "read" | "draft", hasCustomers: boolean, now: number }} Draft */

const YEAR = 365 * 86_400_000;

/** Where an agent connects to. */
export const agentAddress = () => `${location.origin}/api/mcp`;

/** @param {Draft} draft @returns {NewApiKey["scopes"]} */
function scopesOf({ may, hasCustomers }) {
  return [
    "orders:read",
    "estimates:read",
    ...(hasCustomers ? /** @type {const} */ (["customers:read"]) : []),
    ...(may === "draft" ? /** @type {const} */ (["orders:write", "estimates:write"]) : []),
  ];
}

/** Makes the key. @param {Draft} draft @param {string} workshopId @returns {Promise<string>} its secret */
export async function issueAgentKey(draft, workshopId) {
  const expiresAt = new Date(draft.now + YEAR).toISOString();
  const body = { name: draft.name, scopes: scopesOf(draft), workshopId, expiresAt };
  const deleteLost = async () => {
    const { apiKeys } = await listApiKeys();
    const lost = newest(apiKeys, ({ name, revokedAt }) => name === draft.name && !revokedAt);
    if (lost) await revokeApiKey(lost.id);
  };
  return (await madeOnce(["agent key", body], (key) => createApiKey(body, { key }), deleteLost)).secret;
}
