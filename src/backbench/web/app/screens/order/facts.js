// Facts of an order, each edited where it stands.

import { choice } from "../../components/choice.js";
import { conflictChoice } from "../../components/conflict-choice.js";
import { div, h2, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { BOUNDS } from "../../domain/numbers.js";
import { fieldExplained } from "../../i18n/problems.js";
import { words } from "../../i18n/index.js";
import { orderWords } from "../../i18n/orders.js";
import { detailsOf, editDetails, editItem } from "../../state/order-details.js";
import { fieldProblem } from "../../state/records.js";
import { numberField } from "../builder/number-field.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").Order} Order */
/** @typedef {import("../../../../../../types/shapes.d.ts").OrderDetails} OrderDetails */

const WAITING = /** @type {const} */ (["none", "parts", "customer", "supplier", "other"]);

/** @param {{ order: Order }} props */
export function Facts({ order: { id, status } }) {
  const details = detailsOf(id);
  const text = orderWords.value;
  return section(
    { class: "panel" },
    h2({}, text.facts),
    fact(id, details, "phone", { type: "tel", maxLength: 40 }),
    div(
      { class: "two" },
      fact(id, details, "dueOn", { type: "date" }),
      details.dueOn && fact(id, details, "dueTime", { type: "time" }),
    ),
    numberField({
      label: text.limit,
      value: details.priceLimit,
      bounds: BOUNDS.unitPrice,
      onValue: (priceLimit) => editDetails(id, { priceLimit }),
    }),
    conflictChoice({ objectId: id, part: "details", field: "priceLimit" }),
    fact(id, details, "place", { maxLength: 50 }),
    itemText(id, details, "condition", { label: text.condition, maxLength: 2000, multiline: true }),
    itemText(id, details, "serial", { label: text.serial, maxLength: 100 }),
    status !== "done" && choice({
      label: text.waitingLabel,
      value: details.waitingFor ?? "none",
      options: WAITING.map((value) => ({ value, label: text.waitingFor[value] })),
      onChange: (value) => editDetails(id, { waitingFor: value === "none" ? null : value }),
    }),
  );
}

/** @param {string} id @param {Partial<OrderDetails>} details @param {"phone" | "dueOn" | "dueTime" | "place"} field @param {object} more */
function fact(id, details, field, more) {
  const problem = fieldProblem("orderDetails", id, field);
  return div(
    { class: "stack" },
    textField({
      label: orderWords.value[field],
      value: details[field] ?? "",
      autocomplete: "off",
      onCommit: (value) => editDetails(id, { [field]: value.trim() || null }),
      ...(problem ? { problem: fieldExplained(problem, words.value.common) } : {}),
      ...more,
    }),
    conflictChoice({ objectId: id, part: "details", field }),
  );
}

/** @param {string} id @param {Partial<OrderDetails>} details @param {"condition" | "serial"} field @param {{ label: string, maxLength: number, multiline?: boolean }} more */
function itemText(id, details, field, more) {
  return div(
    { class: "stack" },
    textField({
      value: details.item?.[field] ?? "",
      autocomplete: "off",
      onCommit: (value) => editItem(id, { [field]: value.trim() || null }),
      ...more,
    }),
    conflictChoice({ objectId: id, part: "item", field }),
  );
}
