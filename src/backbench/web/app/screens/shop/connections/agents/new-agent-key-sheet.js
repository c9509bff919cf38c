// New key of an agent: its name, what it may do; then the key and a command with it, once.

import { actionButton } from "../../../../components/action-button.js";
import { choice } from "../../../../components/choice.js";
import { useCommand } from "../../../../components/command.js";
import { needsConnection } from "../../../../components/needs-connection.js";
import { sheet } from "../../../../components/sheet.js";
import { p } from "../../../../components/tags.js";
import { textField } from "../../../../components/text-field.js";
import { toggle } from "../../../../components/toggle.js";
import { connectionsWords } from "../../../../i18n/connections.js";
import { words } from "../../../../i18n/index.js";
import { workshopId } from "../../../../state/workshops.js";
import { useState } from "../../../../vendor/hooks.js";
import { atField, problemNotice } from "../../common/problem-notice.js";
import { secretField } from "../../common/secret-field.js";
import { agentAddress, issueAgentKey } from "./agent-key.js";

/** @typedef {import("./agent-key.js").Draft} Draft */

const MAYS = /** @type {const} */ (["read", "draft"]);

/** @param {{ onClose: () => void }} props */
export function NewAgentKeySheet({ onClose }) {
  const text = connectionsWords().agents;
  const [draft, setDraft] = useState(() => /** @type {Draft} */ ({
    name: text.nameUsual,
    may: "read",
    hasCustomers: false,
    now: Date.now(),
  }));
  const [secret, setSecret] = useState("");
  const { busy, problem, run } = useCommand();
  const make = () => void run(async () => setSecret(await issueAgentKey(draft, workshopId.value)));
  if (secret) return madeSheet(secret, onClose);
  return sheet(
    {
      title: text.make,
      onClose,
      foot: actionButton({ label: text.create, kind: "main", busy, onClick: make }),
    },
    needsConnection(),
    ...fields(draft, (changed) => setDraft((known) => ({ ...known, ...changed })), atField(problem, "/name")),
    problem?.code === "validation_error" ? null : problemNotice(problem),
  );
}

/** @param {string} secret @param {() => void} onClose */
function madeSheet(secret, onClose) {
  const text = connectionsWords().agents;
  const command =
    `claude mcp add --transport http backbench ${agentAddress()} --header "Authorization: Bearer ${secret}"`;
  return sheet(
    {
      title: text.secretTitle,
      onClose,
      foot: actionButton({ label: words.value.common.buttons.done, onClick: onClose }),
    },
    secretField({ label: text.secret, secret, note: text.secretOnce }),
    secretField({ label: text.command, secret: command, note: text.commandNote }),
  );
}

/** @param {Draft} draft @param {(changed: Partial<Draft>) => void} change @param {string | undefined} atName */
function fields(draft, change, atName) {
  const text = connectionsWords().agents;
  return [
    textField({
      label: text.name,
      value: draft.name,
      maxLength: 250,
      onInput: (name) => change({ name }),
      ...(atName ? { problem: atName } : {}),
    }),
    choice({
      label: text.may,
      value: draft.may,
      options: MAYS.map((value) => ({ value, label: text.mays[value] })),
      onChange: (may) => change({ may }),
    }),
    toggle({
      label: text.withCustomers,
      help: text.withCustomersHelp,
      value: draft.hasCustomers,
      onChange: (hasCustomers) => change({ hasCustomers }),
    }),
    draft.may === "draft" && p({ class: "quiet-text" }, text.keyMore),
  ];
}
