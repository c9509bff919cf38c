// Secret sheet: the secret of a webhook, once.

import { actionButton } from "../../../../components/action-button.js";
import { sheet } from "../../../../components/sheet.js";
import { connectionsWords } from "../../../../i18n/connections.js";
import { words } from "../../../../i18n/index.js";
import { secretField } from "../../common/secret-field.js";

/** @param {string} secret @param {string} note @param {() => void} onClose */
export function secretSheet(secret, note, onClose) {
  const text = connectionsWords().webhooks;
  const foot = actionButton({ label: words.value.common.buttons.done, onClick: onClose });
  return sheet({ title: text.secretTitle, onClose, foot }, secretField({ label: text.secret, secret, note }));
}
