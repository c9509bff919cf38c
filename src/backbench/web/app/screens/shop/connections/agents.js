// Agents: what one can see and do here, where it connects to, and a key for it.

import { actionButton } from "../../../components/action-button.js";
import { choice, toggle } from "../../../components/choice.js";
import { linkRow, linkRows } from "../../../components/link-row.js";
import { needsConnection } from "../../../components/command.js";
import { component, h2, icon, p, section, span } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { workshopId } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { connectionsWords } from "../../../words/connections.js";
import {
  atField,
  draftSheet,
  makeApiKey,
  secretField,
  secretSheet,
  useIssued,
} from "../common/use-answer.js";
import { connectionFrame } from "./head.js";

export function screen() {
  const [open, setOpen] = useState(false);
  const text = connectionsWords.value.agents;
  return connectionFrame(
    "agents",
    p({ class: "quiet-text" }, text.intro),
    section(
      { class: "stack" },
      h2({}, text.sees),
      can("eye", text.reads),
      can("users", text.customers),
      can("pen-line", text.drafts),
      can("lock", text.never),
    ),
    needsConnection(),
    actionButton({ label: text.make, icon: "key-round", kind: "main", onClick: () => setOpen(true) }),
    secretField({ label: text.address, secret: agentAddress(), note: text.addressNote }),
    linkRows({}, linkRow({ href: "/shop/keys", title: text.keys, icon: "key-round" })),
    open && component(NewAgentKeySheet, { onClose: () => setOpen(false) }),
  );
}

/** @param {string} glyph @param {string} text */
const can = (glyph, text) => p({ class: "agent-can" }, icon(glyph), span({}, text));

// New key of an agent: its name, what it may do; then the key and a command with it, once.

const MAYS = /** @type {const} */ (["read", "draft"]);

/** @param {{ onClose: () => void }} props */
function NewAgentKeySheet({ onClose }) {
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

/** `now`: milliseconds, of when the sheet was opened. @typedef {{ name: string, may: "read" | "draft", hasCustomers: boolean, now: number }} Draft */

const YEAR = 365 * 86_400_000;

/** Where an agent connects to. */
const agentAddress = () => `${location.origin}/api/mcp`;

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
async function issueAgentKey(draft, workshopId) {
  const expiresAt = new Date(draft.now + YEAR).toISOString();
  const body = { name: draft.name, scopes: scopesOf(draft), workshopId, expiresAt };
  return (await makeApiKey(["agent key", body], body)).secret;
}
