// Client: for whom the estimate is, and where it can be sent to.

import { listRecipients } from "../../api/workshops.js";
import { isProblem } from "../../api/problems.js";
import { conflictChoice } from "../../components/conflict-choice.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
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
import { explained } from "../../i18n/problems.js";
import { words } from "../../i18n/index.js";
import { editEstimate, facts, replaceFacts } from "../../state/estimates.js";
import { workshopId } from "../../state/workshops.js";
import { useEffect, useState } from "../../vendor/hooks.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").Estimate} Estimate */
/** @typedef {import("../../../../../../types/shapes.d.ts").Recipient} Recipient */
/** @typedef {"recipientEmail" | "recipientPhone" | "recipientAddress"} Field */

/** @typedef {import("../../../../../../types/shapes.d.ts").DocumentFacts} Held */

const LIST = "send-recipients";

/** @param {{ estimate: Estimate }} props */
export const client = (props) => component(Client, props);

/** @param {{ estimate: Estimate }} props */
function Client({ estimate }) {
  const text = words.value.send;
  const known = useRecipients();
  const [problem, setProblem] = useState("");
  const held = facts(estimate.id).value ?? {};
  const save = (/** @type {Held} */ fields) =>
    replaceFacts(estimate.id, without({ ...held, ...fields })).then(() => setProblem(""), (error) => {
      if (!isProblem(error)) throw error;
      setProblem(explained(error, words.value.common));
    });
  const name = (/** @type {string} */ value) => {
    editEstimate(estimate.id, { recipientName: value.trim() || null });
    const found = known.find((one) => one.name === value.trim());
    if (found) void save(filled(held, found));
  };
  const value = estimate.recipientName ?? "";
  return section(
    { class: "panel" },
    h2({}, text.client),
    textField({ label: text.name, value, onCommit: name, maxLength: 250, list: LIST, autocomplete: "off" }),
    conflictChoice({ objectId: estimate.id, field: "recipientName" }),
    datalist({ id: LIST }, ...known.map((one) => option({ value: one.name }))),
    addresses(held, (fields) => void save(fields)),
    problem && p({ class: "field-problem", role: "alert" }, problem),
  );
}

/** Where the message goes. @param {Held} held @param {(fields: Held) => void} save */
function addresses(held, save) {
  const text = words.value.send;
  const field = (/** @type {Field} */ key, /** @type {object} */ more) =>
    textField({
      label: text[key],
      value: held[key] ?? "",
      onCommit: (value) => save({ [key]: value.trim() }),
      ...more,
    });
  return details(
    { class: "more" },
    summary({}, span({}, text.addresses), icon("chevron-down")),
    isOnline()
      ? div(
        { class: "stack" },
        field("recipientEmail", { type: "email", autocomplete: "off" }),
        field("recipientPhone", { type: "tel", autocomplete: "off" }),
        field("recipientAddress", { multiline: true, maxLength: 2000 }),
        p({ class: "quiet-text" }, text.addressesHelp),
      )
      : needsConnection(),
  );
}

/** The clients of earlier estimates and orders. */
function useRecipients() {
  const [known, setKnown] = useState(/** @type {Recipient[]} */ ([]));
  useEffect(() => {
    // Without them the name is typed.
    listRecipients(workshopId.value, { limit: 100 }).then(({ recipients }) => setKnown(recipients), () => {});
  }, []);
  return known;
}

/** What is known of the client, where nothing else was typed. @param {Held} held @param {Recipient} found */
function filled(held, { address, email, phone, taxId }) {
  return {
    recipientAddress: held.recipientAddress ?? address ?? "",
    recipientEmail: held.recipientEmail ?? email ?? "",
    recipientPhone: held.recipientPhone ?? phone ?? "",
    recipientTaxId: held.recipientTaxId ?? taxId ?? "",
  };
}

/** Without the texts that are empty. @param {Held} fields @returns {Held} */
function without(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}
