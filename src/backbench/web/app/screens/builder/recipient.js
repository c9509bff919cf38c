// Recipient: for whom, with the names used before to tap on.

import { conflictChoice } from "../../components/conflict-choice.js";
import { button, div } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { matches } from "../../domain/search.js";
import { words } from "../../i18n/index.js";
import { estimate } from "../../state/estimates.js";
import { summaries } from "../../state/summaries.js";
import { useState } from "../../vendor/hooks.js";
import { takeRecipient, useRecipients } from "../recipients.js";
import { editHead } from "./till.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").Recipient} Recipient */
/** @typedef {Pick<Recipient, "name"> & Partial<Recipient>} Known */

const OFFERED = 4;

/** @param {{ till: import("./till.js").Till }} props */
export function RecipientField({ till }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const listed = useRecipients();
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
    offers(till, text ?? name, listed),
    conflictChoice({ objectId: till.id, field: "recipientName" }),
  );
}

/** @param {import("./till.js").Till} till @param {string} text @param {Known[]} listed */
function offers(till, text, listed) {
  const own = estimate(till.id).value?.recipientName;
  const found = known(listed).filter(({ name }) => name !== own && (text === own || matches(text, name)));
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

/** Without a connection the names of the estimates. @param {Known[]} listed @returns {Known[]} */
function known(listed) {
  if (listed.length) return listed;
  const names = new Set(summaries.value.map(({ recipientName }) => recipientName ?? ""));
  return [...names].filter(Boolean).map((name) => ({ name }));
}

/** The name, and what is known of the client for the document. @param {import("./till.js").Till} till @param {Known} one */
function take(till, one) {
  editHead(till, { recipientName: one.name });
  takeRecipient(till.id, one);
}
