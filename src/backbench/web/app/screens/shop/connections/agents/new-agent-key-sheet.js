// New key of an agent: its name, what it may do; then the key and a command with it, once.

import { choice } from "../../../../components/choice.js";
import { p } from "../../../../components/tags.js";
import { textField } from "../../../../components/text-field.js";
import { toggle } from "../../../../components/toggle.js";
import { connectionsWords } from "../../../../words/connections.js";
import { workshopId } from "../../../../state/workshops.js";
import { draftSheet, secretSheet, useIssued } from "../../common/issued.js";
import { atField } from "../../common/problem-notice.js";
import { secretField } from "../../common/secret-field.js";
import { agentAddress, issueAgentKey } from "./agent-key.js";

/** @typedef {import("./agent-key.js").Draft} Draft */

const MAYS = /** @type {const} */ (["read", "draft"]);

/** @param {{ onClose: () => void }} props */
export function NewAgentKeySheet({ onClose }) {
  const text = connectionsWords.value.agents;
  const issued = useIssued(
    () => /** @type {Draft} */ ({ name: text.nameUsual, may: "read", hasCustomers: false, now: Date.now() }),
    (draft) => issueAgentKey(draft, workshopId.value),
  );
  const { draft, change, secret, problem } = issued;
  if (!secret) return draftSheet(text, onClose, issued, fields(draft, change, atField(problem, "/name")));
  const command =
    `claude mcp add --transport http backbench ${agentAddress()} --header "Authorization: Bearer ${secret}"`;
  return secretSheet(
    text.secretTitle,
    onClose,
    secretField({ label: text.secret, secret, note: text.secretOnce }),
    secretField({ label: text.command, secret: command, note: text.commandNote }),
  );
}

/** @param {Draft} draft @param {(changed: Partial<Draft>) => void} change @param {string | undefined} atName */
function fields(draft, change, atName) {
  const text = connectionsWords.value.agents;
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
