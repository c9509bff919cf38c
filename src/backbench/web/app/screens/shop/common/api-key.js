// API key: made once, because its secret is in one response alone.

import { call } from "../../../api/client.js";
import { madeOnce, newest } from "./made-once.js";

/**
 * Makes the key; one whose response was lost is revoked. Throws Problem.
 * @param {unknown} intent as of `command`
 * @param {Api.NewApiKey} body
 */
export function makeApiKey(intent, body) {
  const revokeLost = async () => {
    const { apiKeys } = await call("GET /me/api-keys");
    const lost = newest(apiKeys, ({ name, revokedAt }) => name === body.name && !revokedAt);
    if (lost) await call("DELETE /me/api-keys/{keyId}", { keyId: lost.id });
  };
  return madeOnce(intent, (key) => call("POST /me/api-keys", {}, { body, key }), revokeLost);
}
