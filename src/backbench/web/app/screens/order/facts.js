// Facts of an order, each edited where it stands: a field is a line here, and its label a line of `words/orders.js`.

import { boundFields, facts } from "../../components/bound-fields.js";
import { dueOf } from "../../domain/due.js";
import { BOUNDS } from "../../domain/numbers.js";
import { amount } from "../../domain/format.js";
import { detailsOf, editDetails, editItem } from "../../state/order-details.js";
import { editOrder } from "../../state/orders.js";
import { agreePrice, moneyOf } from "../../state/payments.js";
import { clock } from "../../state/tickets.js";
import { currency, workshop } from "../../state/workshops.js";
import { orderWords } from "../../words/orders.js";
import { paymentWords } from "../../words/payments.js";
import { wordsLanguage } from "../../words/words.js";
import { dueText } from "../board/facts.js";

const PIECES = { least: "1", most: "99" };

/** @param {{ order: Api.Order }} props */
export function Facts({ order: value }) {
  const { id, status } = value;
  const details = detailsOf(id);
  const text = orderWords.value;
  // An order without a title is refused: the last one stays until there is another.
  const check = (/** @type {string} */ title) => title.trim() ? undefined : text.titleMissing;
  const own = boundFields({ kind: "order", id, value: { value }, save: editOrder.bind(null, id) }, text);
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
  const due = status === "done" ? "none" : dueOf(details, clock.value);
  const price = (/** @type {number} */ shown) => amount(shown, currency.value, wordsLanguage.value);
  return facts([
    own.text("title", { maxLength: 250, check }),
    own.text("customerName", { maxLength: 250, empty: "" }),
    field.text("phone", { type: "tel", maxLength: 40 }),
    field.text("dueOn", {
      type: "date",
      show: (on) => dueText({ ...details, dueOn: on }, due, clock.value.today),
    }),
    details.dueOn && field.text("dueTime", { type: "time", of: "dueOn" }),
    field.text("place", { maxLength: 50 }),
    status !== "done" && field.choice("waitingFor", text.waitingFor, "none"),
    status !== "done" && details.waitingFor && field.text("waitingUntil", { type: "date" }),
    item.text("description", { maxLength: 500, multiline: true }),
    item.text("condition", { maxLength: 2000, multiline: true }),
    item.text("serial", { maxLength: 100 }),
    item.number("pieces", PIECES, { whole: true }),
    agreedPrice(id, price),
    field.number("priceLimit", BOUNDS.unitPrice, { show: price }),
    members.length > 1 && field.select("assignedTo", names, ""),
    status === "done" && field.choice("outcome", text.outcome, "none"),
    own.text("notes", { maxLength: 5000, multiline: true, empty: "" }),
  ], true);
}

/** Of an order without an estimate. @param {string} id @param {(value: number) => string} show */
function agreedPrice(id, show) {
  const { agreed, source } = moneyOf(id);
  if (source !== "none" && source !== "entered") return null;
  const { setPrice, setPriceHelp: agreedHelp } = paymentWords.value;
  const value = { value: { agreed: agreed === undefined ? undefined : Number(agreed) } };
  const save = (/** @type {{ agreed: number | null }} */ fields) => agreePrice(id, fields.agreed);
  const field = boundFields({ kind: "orderBalance", id, part: "agreed", value, save }, {
    agreed: setPrice,
    agreedHelp,
  });
  return field.number("agreed", BOUNDS.unitPrice, { show });
}
