// Client: for whom the estimate is, and where it can be sent to.

import { conflictChoice } from "../../components/conflict-choice.js";
import {
  component,
  datalist,
  details,
  div,
  h2,
  icon,
  option,
  p,
  section,
  span,
  summary,
} from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { fieldExplained } from "../../words/problems.js";
import { words } from "../../words/words.js";
import { sendWords } from "../../words/send.js";
import { editEstimate, editFacts, facts } from "../../state/estimates.js";
import { fieldProblem } from "../../state/records.js";
import { takeRecipient, useRecipients } from "../recipients.js";

/** @typedef {"recipientEmail" | "recipientPhone" | "recipientAddress"} Field */

const LIST = "send-recipients";

/** @param {{ estimate: Api.Estimate }} props */
export const client = (props) => component(Client, props);

/** @param {{ estimate: Api.Estimate }} props */
function Client({ estimate }) {
  const text = sendWords.value;
  const known = useRecipients();
  const held = facts(estimate.id).value ?? {};
  const name = (/** @type {string} */ value) => {
    editEstimate(estimate.id, { recipientName: value.trim() || null });
    const found = known.find((one) => one.name === value.trim());
    if (found) takeRecipient(estimate.id, found);
  };
  const value = estimate.recipientName ?? "";
  return section(
    { class: "panel" },
    h2({}, text.client),
    textField({ label: text.name, value, onCommit: name, maxLength: 250, list: LIST, autocomplete: "off" }),
    conflictChoice({ objectId: estimate.id, field: "recipientName" }),
    datalist({ id: LIST }, ...known.map((one) => option({ value: one.name }))),
    addresses(estimate.id, held),
  );
}

/** Where the message goes. @param {string} id @param {Api.DocumentFacts} held */
function addresses(id, held) {
  const text = sendWords.value;
  const field = (/** @type {Field} */ key, /** @type {object} */ more) => {
    const problem = fieldProblem("document", id, key);
    return div(
      { class: "stack" },
      textField({
        label: text[key],
        value: held[key] ?? "",
        onCommit: (value) => editFacts(id, { [key]: value.trim() }),
        ...(problem ? { problem: fieldExplained(problem, words.value.common) } : {}),
        ...more,
      }),
      conflictChoice({ objectId: id, part: "document", field: key }),
    );
  };
  return details(
    { class: "more" },
    summary({}, span({}, text.addresses), icon("chevron-down")),
    div(
      { class: "stack" },
      field("recipientEmail", { type: "email", autocomplete: "off" }),
      field("recipientPhone", { type: "tel", autocomplete: "off" }),
      field("recipientAddress", { multiline: true, maxLength: 2000 }),
      p({ class: "quiet-text" }, text.addressesHelp),
    ),
  );
}
