// API key: made once, because its secret is in one response alone.

import { createApiKey, listApiKeys, revokeApiKey } from "../../../api/accounts.js";
import { madeOnce, newest } from "./made-once.js";

/**
 * Makes the key; one whose response was lost is revoked. Throws Problem.
 * @param {unknown} intent as of `command`
 * @param {Api.NewApiKey} body
 */
export function makeApiKey(intent, body) {
  const revokeLost = async () => {
    const { apiKeys } = await listApiKeys();
    const lost = newest(apiKeys, ({ name, revokedAt }) => name === body.name && !revokedAt);
    if (lost) await revokeApiKey(lost.id);
  };
  return madeOnce(intent, (key) => createApiKey(body, { key }), revokeLost);
}
