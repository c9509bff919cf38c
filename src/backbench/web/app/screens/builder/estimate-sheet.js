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
import { wordsLanguage } from "../../words/words.js";
import { EstimateActions } from "../estimate-actions.js";
import { takeRecipient, useRecipients } from "../recipients.js";
import { editHead, NEW } from "./till.js";
/** @typedef {import("./till.js").Till} Till */

/** @param {{ till: Till, onClose: () => void, onDocument: () => void }} props */
export function EstimateSheet({ till, onClose, onDocument }) {
  const shown = estimate(till.id).value;
  return sheet(
    { title: shown?.name ?? builderWords.value.newEstimate, onClose },
    component(RecipientField, { till }),
    component(NameField, { till }),
    div(
      { class: "builder-percents" },
      component(Percent, { till, field: "discountPercent" }),
      component(Percent, { till, field: "markupPercent" }),
    ),
    shown &&
      component(EstimateActions, {
        id: till.id,
        name: shown.name,
        orderId: orderOf(till.id),
        onClose,
        onDocument,
      }),
  );
}

/** The order that was made of it, if the list knows one. @param {string} id */
function orderOf(id) {
  return summaries.value.find(({ estimateId }) => estimateId === replaced(id))?.orderId;
}

/** @param {{ till: Till }} props */
const NameField = ({ till }) =>
  head(till).text("name", {
    maxLength: 250,
    check: (name) => name.trim() ? undefined : builderWords.value.nameMissing,
  });

/** @param {Till} till */
function head(till) {
  const { markup: markupPercent, markupHelp, discount: discountPercent, discountHelp, ...text } =
    builderWords.value;
  const save = (/** @type {Api.EstimateEdit} */ fields) => editHead(till, fields);
  const labels = {
    ...text,
    markupPercent,
    markupPercentHelp: markupHelp,
    discountPercent,
    discountPercentHelp: discountHelp,
  };
  return boundFields({ kind: "estimate", id: till.id, value: estimate(till.id), save }, labels);
}

/** @param {{ till: Till, field: "markupPercent" | "discountPercent" }} props */
const Percent = ({ till, field }) =>
  head(till).number(field, BOUNDS[field], {
    value: estimate(till.id).value?.[field] || undefined,
    onValue: (value) => editHead(till, { [field]: value ?? 0 }),
    show: (value) => percentage(value, wordsLanguage.value),
  });

// Recipient: for whom, with the names used before to tap on.

/** @typedef {Pick<Api.Recipient, "name"> & Partial<Api.Recipient>} Known */

const OFFERED = 4;

/** @param {{ till: import("./till.js").Till }} props */
function RecipientField({ till }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const listed = useRecipients();
  useEffect(() => void loadCustomers(), []);
  const name = estimate(till.id).value?.recipientName ?? "";
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
      onCommit: (value) => editHead(till, { recipientName: value.trim() || null }),
    }),
    offers(till, text ?? name, listed),
    // Below: it appears when the field is left, and must not move the offer that is being tapped.
    component(OfCustomer, { till, name }),
    conflictChoice({ objectId: till.id, field: "recipientName" }),
  );
}

/** @param {import("./till.js").Till} till @param {string} text @param {Known[]} listed */
function offers(till, text, listed) {
  const own = estimate(till.id).value?.recipientName;
  // Also once the field was left: the tap on one of them leaves it first.
  const present = till.id === NEW ? undefined : facts(till.id).value?.customerId;
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
          onClick: () => "id" in one ? takeCustomer(till, one) : take(till, one),
        },
        "id" in one && icon("user"),
        one.name,
      )
    ),
  );
}

/** The customer of the estimate, or the offer to keep who was typed. @param {{ till: import("./till.js").Till, name: string }} props */
function OfCustomer({ till, name }) {
  const text = customerWords.value;
  const present = till.id === NEW ? {} : facts(till.id).value ?? {};
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
        onClick: () => editFacts(till.id, { customerId: null }),
      }),
    );
  }
  if (till.id === NEW || name.trim() === "") return null;
  return actionButton({
    label: text.keep(name),
    icon: "user-plus",
    kind: "quiet",
    onClick: () => keep(till.id, name, present),
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

/** The document takes the texts of the record, until it is confirmed. @param {import("./till.js").Till} till @param {Api.Customer} one */
function takeCustomer(till, one) {
  // A new estimate begins with it.
  editHead(till, { recipientName: one.name });
  editFacts(till.id, { customerId: one.id });
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
