// Estimate sheet: name, client, markup, discount, and what can be done with the estimate.

import { boundFields, conflictChoice } from "../../components/bound-fields.js";
import { actionButton } from "../../components/action-button.js";
import { sheet } from "../../components/sheet.js";
import { a, button, component, div, icon } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { percentage } from "../../domain/format.js";
import { BOUNDS } from "../../domain/numbers.js";
import { matches } from "../../domain/search.js";
import { createCustomer, customerOf, customersLike, loadCustomers } from "../../state/customers.js";
import { editFacts, estimate, facts } from "../../state/estimates.js";
import { replaced } from "../../state/outbox.js";
import { summaries } from "../../state/summaries.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { builderWords } from "../../words/builder.js";
import { customerWords } from "../../words/customers.js";
import { words, wordsLanguage } from "../../words/words.js";
import { EstimateActions } from "../estimate-actions.js";
import { takeRecipient, useRecipients } from "../recipients.js";
import { editHead, NEW } from "./editing.js";
/** @typedef {import("./editing.js").Editing} Editing */

/** @param {{ editing: Editing, onClose: () => void, onDocument: () => void }} props */
export function EstimateSheet({ editing, onClose, onDocument }) {
  const shown = estimate(editing.id).value;
  return sheet(
    { title: shown?.name ?? words.value.board.newEstimate, onClose },
    component(RecipientField, { editing }),
    component(NameField, { editing }),
    div(
      { class: "builder-percents" },
      component(Percent, { editing, field: "discountPercent" }),
      component(Percent, { editing, field: "markupPercent" }),
    ),
    shown &&
      component(EstimateActions, {
        id: editing.id,
        name: shown.name,
        orderId: orderOf(editing.id),
        onClose,
        onDocument,
      }),
  );
}

/** The order that was made of it, if the list knows one. @param {string} id */
function orderOf(id) {
  return summaries.value.find(({ estimateId }) => estimateId === replaced(id))?.orderId;
}

/** @param {{ editing: Editing }} props */
const NameField = ({ editing }) =>
  head(editing).text("name", {
    maxLength: 250,
    check: (name) => name.trim() ? undefined : builderWords.value.nameMissing,
  });

/** @param {Editing} editing */
function head(editing) {
  const { markup: markupPercent, markupHelp, discount: discountPercent, discountHelp, ...text } =
    builderWords.value;
  const save = (/** @type {Api.EstimateEdit} */ fields) => editHead(editing, fields);
  const labels = {
    ...text,
    markupPercent,
    markupPercentHelp: markupHelp,
    discountPercent,
    discountPercentHelp: discountHelp,
  };
  return boundFields({ kind: "estimate", id: editing.id, value: estimate(editing.id), save }, labels);
}

/** @param {{ editing: Editing, field: "markupPercent" | "discountPercent" }} props */
const Percent = ({ editing, field }) =>
  head(editing).number(field, BOUNDS[field], {
    value: estimate(editing.id).value?.[field] || undefined,
    onValue: (value) => editHead(editing, { [field]: value ?? 0 }),
    show: (value) => percentage(value, wordsLanguage.value),
  });

// Recipient: for whom, with the names used before to tap on.

/** @typedef {Pick<Api.Recipient, "name"> & Partial<Api.Recipient>} Known */

const OFFERED = 4;

/** @param {{ editing: import("./editing.js").Editing }} props */
function RecipientField({ editing }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const listed = useRecipients();
  useEffect(() => void loadCustomers(), []);
  const name = estimate(editing.id).value?.recipientName ?? "";
  const builder = builderWords.value;
  return div(
    { class: "stack" },
    textField({
      label: builder.recipient,
      help: builder.recipientHelp,
      value: name,
      maxLength: 250,
      autocomplete: "off",
      onInput: setText,
      onCommit: (value) => editHead(editing, { recipientName: value.trim() || null }),
    }),
    offers(editing, text ?? name, listed),
    // Below: it appears when the field is left, and must not move the offer that is being tapped.
    component(OfCustomer, { editing, name }),
    conflictChoice({ objectId: editing.id, field: "recipientName" }),
  );
}

/** @param {import("./editing.js").Editing} editing @param {string} text @param {Known[]} listed */
function offers(editing, text, listed) {
  const own = estimate(editing.id).value?.recipientName;
  // Also once the field was left: the tap on one of them leaves it first.
  const present = editing.id === NEW ? undefined : facts(editing.id).value?.customerId;
  const customers = customersLike(text).filter(({ id }) => id !== present).slice(0, OFFERED);
  const names = new Set(customers.map(({ name }) => name));
  const others = known(listed).filter(({ name }) =>
    name !== own && !names.has(name) && (text === own || matches(text, name))
  );
  const found = [...customers, ...others];
  if (!found.length) return null;
  return div(
    { class: "row", role: "group", "aria-label": builderWords.value.usedBefore },
    ...found.slice(0, OFFERED).map((one) =>
      button(
        {
          key: "id" in one ? one.id : one.name,
          class: "button offer",
          type: "button",
          onClick: () => "id" in one ? takeCustomer(editing, one) : take(editing, one),
        },
        "id" in one && icon("user"),
        one.name,
      )
    ),
  );
}

/** The customer of the estimate, or the offer to keep who was typed. @param {{ editing: import("./editing.js").Editing, name: string }} props */
function OfCustomer({ editing, name }) {
  const text = customerWords.value;
  const present = editing.id === NEW ? {} : facts(editing.id).value ?? {};
  const customer = customerOf(present.customerId);
  if (customer) {
    return div(
      { class: "row customer-chosen" },
      icon("user"),
      a({ href: `/customers/${customer.id}` }, text.ofCustomer(customer.name)),
      actionButton({
        label: text.detach,
        icon: "x",
        kind: "quiet",
        iconOnly: true,
        onClick: () => editFacts(editing.id, { customerId: null }),
      }),
    );
  }
  if (editing.id === NEW || name.trim() === "") return null;
  return actionButton({
    label: text.keep(name),
    icon: "user-plus",
    kind: "quiet",
    onClick: () => keep(editing.id, name, present),
  });
}

/** A new customer, of what the document says. @param {string} id of the estimate @param {string} name @param {Partial<Api.DocumentFacts>} present */
function keep(id, name, { recipientAddress, recipientEmail, recipientPhone, recipientTaxId, siteAddress }) {
  const customerId = createCustomer({
    name,
    ...(recipientPhone ? { phones: [{ number: recipientPhone.slice(0, 40) }] } : {}),
    ...(recipientEmail?.includes("@") ? { emails: [recipientEmail] } : {}),
    ...(recipientAddress ? { address: recipientAddress } : {}),
    ...(siteAddress ? { siteAddress } : {}),
    ...(recipientTaxId ? { taxId: recipientTaxId } : {}),
  });
  editFacts(id, { customerId });
}

/** The document takes the texts of the record, until it is confirmed. @param {import("./editing.js").Editing} editing @param {Api.Customer} one */
function takeCustomer(editing, one) {
  // A new estimate begins with it.
  editHead(editing, { recipientName: one.name });
  editFacts(editing.id, { customerId: one.id });
}

/** Without a connection the names of the estimates. @param {Known[]} listed @returns {Known[]} */
function known(listed) {
  if (listed.length) return listed;
  const names = new Set(summaries.value.map(({ recipientName }) => recipientName ?? ""));
  return [...names].filter(Boolean).map((name) => ({ name }));
}

/** The name, and what is known of the client for the document. @param {import("./editing.js").Editing} editing @param {Known} one */
function take(editing, one) {
  editHead(editing, { recipientName: one.name });
  takeRecipient(editing.id, one);
}
