// New webhook: its address and events; then its secret, once.

import { call } from "../../../../api/client.js";
import { connectionsWords } from "../../../../words/connections.js";
import { workshopId } from "../../../../state/workshops.js";
import { draftSheet, useIssued } from "../../common/issued.js";
import { madeOnce, newest } from "../../common/made-once.js";
import { webhookSecret } from "./webhook-secret.js";
import { bodyOf, webhookFields } from "./webhook-fields.js";

/** @typedef {import("./webhook-fields.js").Draft} Draft */

/** @param {{ onClose: () => void, onMade: () => Promise<void> }} props */
export function NewWebhookSheet({ onClose, onMade }) {
  const issued = useIssued(
    () => /** @type {Draft} */ ({ url: "https://", description: "", events: ["*"] }),
    (draft) => issue(workshopId.value, bodyOf(draft)),
    onMade,
  );
  const text = connectionsWords.value.webhooks;
  const { draft, change, secret, problem } = issued;
  if (!secret) return draftSheet(text, onClose, issued, webhookFields(draft, change, problem));
  return webhookSecret(secret, text.secretOnce, onClose);
}

/** @param {string} id @param {ReturnType<typeof bodyOf>} body @returns {Promise<string>} its secret */
async function issue(id, body) {
  const deleteLost = async () => {
    const lost = newest(
      (await call("GET /workshops/{workshopId}/webhooks", { workshopId: id })).webhooks,
      ({ url }) => url === body.url,
    );
    if (lost) await call("DELETE /webhooks/{webhookId}", { webhookId: lost.id });
  };
  return (await madeOnce(
    ["webhook", id, body],
    (key) => call("POST /workshops/{workshopId}/webhooks", { workshopId: id }, { body, key }),
    deleteLost,
  ))
    .secret;
}
