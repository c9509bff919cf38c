// Facts of an order, each edited where it stands: a field is a line here, and its label a line of `words/orders.js`.

import { boundFields } from "../../components/bound-fields.js";
import { div, h2, section } from "../../components/tags.js";
import { BOUNDS } from "../../domain/numbers.js";
import { detailsOf, editDetails, editItem } from "../../state/order-details.js";
import { workshop } from "../../state/workshops.js";
import { orderWords } from "../../words/orders.js";

const PIECES = { least: "1", most: "99" };

/** @param {{ order: Api.Order }} props */
export function Facts({ order: { id, status } }) {
  const details = detailsOf(id);
  const text = orderWords.value;
  const bound = /** @type {const} */ ({ kind: "orderDetails", id });
  const save = (/** @type {Api.OrderDetailsEdit} */ fields) =>
    // Who waits for nothing waits until no day.
    editDetails(id, fields.waitingFor === null ? { ...fields, waitingUntil: null } : fields);
  const field = boundFields({ ...bound, part: "details", value: { value: details }, save }, text);
  const ofItem = { ...bound, part: "item", value: { value: details.item }, save: editItem.bind(null, id) };
  const item = boundFields(ofItem, text);
  const members = workshop.value?.members ?? [];
  const names = [
    { value: "", label: text.nobody },
    ...members.map((one) => ({ value: one.id, label: one.name })),
  ];
  return section(
    { class: "panel" },
    h2({}, text.facts),
    field.text("phone", { type: "tel", maxLength: 40 }),
    div(
      { class: "two" },
      field.text("dueOn", { type: "date" }),
      details.dueOn && field.text("dueTime", { type: "time" }),
    ),
    field.number("priceLimit", BOUNDS.unitPrice),
    field.text("place", { maxLength: 50 }),
    item.text("description", { maxLength: 500, multiline: true }),
    item.text("condition", { maxLength: 2000, multiline: true }),
    item.text("serial", { maxLength: 100 }),
    item.number("pieces", PIECES, { whole: true }),
    members.length > 1 && field.select("assignedTo", names, ""),
    status === "done" && field.choice("outcome", text.outcome, "none"),
    status !== "done" && field.choice("waitingFor", text.waitingFor, "none"),
    status !== "done" && details.waitingFor && field.text("waitingUntil", { type: "date" }),
  );
}
