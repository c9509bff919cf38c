// Facts of an order, each edited where it stands.

import { choice, selectField } from "../../components/choice.js";
import { conflictChoice } from "../../components/conflict-choice.js";
import { div, h2, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { BOUNDS } from "../../domain/numbers.js";
import { fieldExplained } from "../../words/problems.js";
import { words } from "../../words/words.js";
import { orderWords } from "../../words/orders.js";
import { detailsOf, editDetails, editItem } from "../../state/order-details.js";
import { fieldProblem } from "../../state/records.js";
import { workshop } from "../../state/workshops.js";
import { numberField } from "../builder/number-field.js";

const WAITING = /** @type {const} */ (["none", "parts", "customer", "supplier", "other"]);

const OUTCOMES = /** @type {const} */ (["none", "repaired", "not_repaired", "declined"]);
const NOT_WAITING = { waitingFor: null, waitingUntil: null };
const PIECES = { least: "1", most: "99" };

/** @param {{ order: Api.Order }} props */
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
    itemText(id, details, "description", { label: text.description, maxLength: 500, multiline: true }),
    itemText(id, details, "condition", { label: text.condition, maxLength: 2000, multiline: true }),
    itemText(id, details, "serial", { label: text.serial, maxLength: 100 }),
    ...piecesOf(id, details),
    assignee(id, details),
    ...(status === "done" ? ending(id, details) : waiting(id, details)),
  );
}

/** Only in a workshop of several. @param {string} id @param {Partial<Api.OrderDetails>} details */
function assignee(id, { assignedTo = "" }) {
  const members = workshop.value?.members ?? [];
  const text = orderWords.value;
  if (members.length < 2) return null;
  return div(
    { class: "stack" },
    selectField({
      label: text.assignedTo,
      value: assignedTo,
      options: [
        { value: "", label: text.nobody },
        ...members.map((one) => ({ value: one.id, label: one.name })),
      ],
      onChange: (value) => editDetails(id, { assignedTo: value || null }),
    }),
    conflictChoice({ objectId: id, part: "details", field: "assignedTo" }),
  );
}

/** @param {string} id @param {Partial<Api.OrderDetails>} details @param {"phone" | "dueOn" | "dueTime" | "place" | "waitingUntil"} field @param {object} more */
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

/** @param {string} id @param {Partial<Api.OrderDetails>} details @param {"description" | "condition" | "serial"} field @param {{ label: string, maxLength: number, multiline?: boolean }} more */
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

/** @param {string} id @param {Partial<Api.OrderDetails>} details */
function piecesOf(id, { item }) {
  return [
    numberField({
      label: orderWords.value.pieces,
      value: item?.pieces,
      bounds: PIECES,
      whole: true,
      onValue: (pieces) => editItem(id, { pieces }),
    }),
    conflictChoice({ objectId: id, part: "item", field: "pieces" }),
  ];
}

/** Of what is done. @param {string} id @param {Partial<Api.OrderDetails>} details */
function ending(id, { outcome }) {
  const text = orderWords.value;
  return [
    choice({
      label: text.outcomeLabel,
      value: outcome ?? "none",
      options: OUTCOMES.map((value) => ({ value, label: text.outcome[value] })),
      onChange: (value) => editDetails(id, { outcome: value === "none" ? null : value }),
    }),
    conflictChoice({ objectId: id, part: "details", field: "outcome" }),
  ];
}

/** @param {string} id @param {Partial<Api.OrderDetails>} details */
function waiting(id, details) {
  const text = orderWords.value;
  return [
    choice({
      label: text.waitingLabel,
      value: details.waitingFor ?? "none",
      options: WAITING.map((value) => ({ value, label: text.waitingFor[value] })),
      onChange: (value) => editDetails(id, value === "none" ? NOT_WAITING : { waitingFor: value }),
    }),
    conflictChoice({ objectId: id, part: "details", field: "waitingFor" }),
    details.waitingFor && fact(id, details, "waitingUntil", { type: "date" }),
  ];
}
