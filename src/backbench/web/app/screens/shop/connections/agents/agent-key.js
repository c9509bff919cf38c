// Agent key: an API key with the scopes that an agent's tools need, for the workshop that is shown.

import { makeApiKey } from "../../common/api-key.js";

/** `now`: milliseconds, of when the sheet was opened. @typedef {{ name: string, may: "read" | "draft", hasCustomers: boolean, now: number }} Draft */

const YEAR = 365 * 86_400_000;

/** Where an agent connects to. */
export const agentAddress = () => `${location.origin}/api/mcp`;

/** @param {Draft} draft @returns {Api.NewApiKey["scopes"]} */
function scopesOf({ may, hasCustomers }) {
  return [
    "orders:read",
    "estimates:read",
    ...(hasCustomers ? /** @type {const} */ (["customers:read"]) : []),
    ...(may === "draft" ? /** @type {const} */ (["drafts:write"]) : []),
  ];
}

/** Makes the key. @param {Draft} draft @param {string} workshopId @returns {Promise<string>} its secret */
export async function issueAgentKey(draft, workshopId) {
  const expiresAt = new Date(draft.now + YEAR).toISOString();
  const body = { name: draft.name, scopes: scopesOf(draft), workshopId, expiresAt };
  return (await makeApiKey(["agent key", body], body)).secret;
}
