// Webhook secret: shown once, when it is new.

import { connectionsWords } from "../../../../words/connections.js";
import { secretSheet } from "../../common/issued.js";
import { secretField } from "../../common/secret-field.js";

/** @param {string} secret @param {string} note @param {() => void} onClose */
export function webhookSecret(secret, note, onClose) {
  const text = connectionsWords.value.webhooks;
  return secretSheet(text.secretTitle, onClose, secretField({ label: text.secret, secret, note }));
}
