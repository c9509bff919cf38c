// Recipient: for whom, with the names used before to tap on.

import { listRecipients } from "../../api/workshops.js";
import { conflictChoice } from "../../components/conflict-choice.js";
import { button, div } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { matches } from "../../domain/search.js";
import { words } from "../../i18n/index.js";
import { estimate, facts } from "../../state/estimates.js";
import { summaries } from "../../state/summaries.js";
import { workshopId } from "../../state/workshops.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { signal } from "../../vendor/signals.js";
import { editFacts } from "./document.js";
import { editHead } from "./till.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").Recipient} Recipient */
/** @typedef {Pick<Recipient, "name"> & Partial<Recipient>} Known */

/** Those of the server, as soon as they are there. */
const listed = signal(/** @type {Known[]} */ ([]));
const OFFERED = 4;

/** @param {{ till: import("./till.js").Till }} props */
export function RecipientField({ till }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    listRecipients(workshopId.value, { limit: 100 }).then(
      ({ recipients }) => (listed.value = recipients),
      // Without a connection the names of the estimates are offered.
      () => {},
    );
  }, []);
  const name = estimate(till.id).value?.recipientName ?? "";
  const { builder } = words.value;
  return div(
    { class: "stack" },
    textField({
      label: builder.recipient,
      help: builder.recipientHelp,
      value: name,
      maxLength: 250,
      autocomplete: "off",
      onInput: setText,
      onCommit: (value) => editHead(till, { recipientName: value.trim() || null }),
    }),
    offers(till, text ?? name),
    conflictChoice({ objectId: till.id, field: "recipientName" }),
  );
}

/** @param {import("./till.js").Till} till @param {string} text */
function offers(till, text) {
  const own = estimate(till.id).value?.recipientName;
  const found = known().filter(({ name }) => name !== own && (text === own || matches(text, name)));
  if (!found.length) return null;
  return div(
    { class: "row", role: "group", "aria-label": words.value.builder.usedBefore },
    ...found.slice(0, OFFERED).map((one) =>
      button(
        { key: one.name, class: "button offer", type: "button", onClick: () => take(till, one) },
        one.name,
      )
    ),
  );
}

/** @returns {Known[]} */
function known() {
  if (listed.value.length) return listed.value;
  const names = new Set(summaries.value.map(({ recipientName }) => recipientName ?? ""));
  return [...names].filter(Boolean).map((name) => ({ name }));
}

/** The name, and what is known of the client for the document. @param {import("./till.js").Till} till @param {Known} one */
function take(till, { name, address, taxId, email, phone }) {
  editHead(till, { recipientName: name });
  const present = facts(till.id).peek() ?? {};
  const found = {
    recipientAddress: address,
    recipientTaxId: taxId,
    recipientEmail: email,
    recipientPhone: phone,
  };
  const hasOwn = Object.keys(found).some((fact) => fact in present);
  if (!hasOwn && Object.values(found).some(Boolean)) void editFacts(till.id, found);
}
