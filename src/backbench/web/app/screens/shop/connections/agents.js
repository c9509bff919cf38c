// Agents: what one can see and do here, where it connects to, and a key for it.

import { actionButton } from "../../../components/action-button.js";
import { linkRow, linkRows } from "../../../components/link-row.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { component, h2, icon, p, section, span } from "../../../components/tags.js";
import { connectionsWords } from "../../../words/connections.js";
import { useState } from "../../../vendor/hooks.js";
import { secretField } from "../common/secret-field.js";
import { NewAgentKeySheet } from "./agents/new-agent-key-sheet.js";
import { agentAddress } from "./agents/agent-key.js";
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
