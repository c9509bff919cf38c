// Agents: what one can see and do here, where it connects to, and a key for it: an API key with the scopes that its tools need,
// for the workshop that is shown.

import { actionButton } from "../../components/action-button.js";
import { needsConnection } from "../../components/command.js";
import { linkRow, linkRows } from "../../components/link-row.js";
import { h2, icon, p, section, span } from "../../components/tags.js";
import { workshopId } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { connectionsWords } from "../../words/connections.js";
import { KEY } from "./keys.js";
import { issueSheet, secretField } from "./issued.js";
import { connectionFrame, quiet } from "./kit.js";

/** `now`: milliseconds, of when the sheet was opened. @typedef {{ name: string, may: "read" | "draft", hasCustomers: boolean, now: number }} Draft */

const YEAR = 365 * 86_400_000;
const text = () => connectionsWords.value.agents;
/** Where an agent connects to. */
const address = () => `${location.origin}/api/mcp`;

/** @type {import("./issued.js").Issued<Draft, Api.NewApiKey, Api.ApiKeyWithSecret, Api.ApiKey>} */
const AGENT_KEY = {
  ...KEY,
  intent: "agent key",
  text,
  first: () => ({ name: text().nameUsual, may: "read", hasCustomers: false, now: Date.now() }),
  fields: (field, { may }) => [
    field.text("name", { maxLength: 250 }),
    field.choice("may", text().mays),
    field.toggle("hasCustomers"),
    may === "draft" && quiet(text().keyMore),
  ],
  body: ({ name, may, hasCustomers, now }) => ({
    name,
    scopes: [
      "orders:read",
      "estimates:read",
      ...(hasCustomers ? /** @type {const} */ (["customers:read", "invoices:read"]) : []),
      ...(may === "draft" ? /** @type {const} */ (["drafts:write"]) : []),
    ],
    workshopId: workshopId.value,
    expiresAt: new Date(now + YEAR).toISOString(),
  }),
  shown: ({ secret }) => [
    secretField({ label: text().secret, secret, note: text().secretOnce }),
    secretField({
      label: text().command,
      secret:
        `claude mcp add --transport http backbench ${address()} --header "Authorization: Bearer ${secret}"`,
      note: text().commandNote,
    }),
  ],
};

export function screen() {
  const [isOpen, setOpen] = useState(false);
  const { sees, reads, customers, drafts, never, make, address: label, addressNote, keys } = text();
  return connectionFrame(
    "agents",
    quiet(text().intro),
    section(
      { class: "stack" },
      h2({}, sees),
      can("eye", reads),
      can("users", customers),
      can("pen-line", drafts),
      can("lock", never),
    ),
    needsConnection(),
    actionButton({ label: make, icon: "key-round", kind: "main", onClick: () => setOpen(true) }),
    secretField({ label, secret: address(), note: addressNote }),
    linkRows({}, linkRow({ href: "/shop/keys", title: keys, icon: "key-round" })),
    isOpen && issueSheet(AGENT_KEY, () => setOpen(false)),
  );
}

/** @param {string} glyph @param {string} text */
const can = (glyph, text) => p({ class: "agent-can" }, icon(glyph), span({}, text));
