// New webhook: its address and events; then its secret, once.

import { createWebhook, deleteWebhook, listWebhooks } from "../../../../api/webhooks.js";
import { actionButton } from "../../../../components/action-button.js";
import { useCommand } from "../../../../components/command.js";
import { needsConnection } from "../../../../components/needs-connection.js";
import { sheet } from "../../../../components/sheet.js";
import { connectionsWords } from "../../../../i18n/connections.js";
import { workshopId } from "../../../../state/workshops.js";
import { useState } from "../../../../vendor/hooks.js";
import { madeOnce, newest } from "../../common/made-once.js";
import { secretSheet } from "./secret-sheet.js";
import { bodyOf, webhookFields } from "./webhook-fields.js";

/** @typedef {import("./webhook-fields.js").Draft} Draft */

/** @param {{ onClose: () => void, onMade: () => Promise<void> }} props */
export function NewWebhookSheet({ onClose, onMade }) {
  const [draft, setDraft] = useState(
    /** @type {Draft} */ ({ url: "https://", description: "", events: ["*"] }),
  );
  const [secret, setSecret] = useState("");
  const { busy, problem, run } = useCommand();
  const text = connectionsWords().webhooks;
  const make = () =>
    void run(async () => {
      setSecret(await issue(workshopId.value, bodyOf(draft)));
      await onMade();
    });
  if (secret) return secretSheet(secret, text.secretOnce, onClose);
  return sheet(
    {
      title: text.make,
      onClose,
      foot: actionButton({ label: text.create, kind: "main", busy, onClick: make }),
    },
    needsConnection(),
    ...webhookFields(draft, (changed) => setDraft((known) => ({ ...known, ...changed })), problem),
  );
}

/** @param {string} id @param {ReturnType<typeof bodyOf>} body @returns {Promise<string>} its secret */
async function issue(id, body) {
  const deleteLost = async () => {
    const lost = newest((await listWebhooks(id)).webhooks, ({ url }) => url === body.url);
    if (lost) await deleteWebhook(lost.id);
  };
  return (await madeOnce(["webhook", id, body], (key) => createWebhook(id, body, { key }), deleteLost))
    .secret;
}
