// Field values: what a change gives a field, as text, wherever it is shown: where the field stands, and in the list of
// waiting changes.

import { customerOf } from "../state/customers.js";
import { replica } from "../state/outbox.js";
import { clock } from "../state/tickets.js";
import { workshop } from "../state/workshops.js";
import { percentage, quantity, weekday } from "../domain/format.js";
import { shown } from "../domain/numbers.js";
import { builderWords } from "../words/builder.js";
import { customerWords } from "../words/customers.js";
import { errorWords } from "../words/errors.js";
import { invoiceWords } from "../words/invoices.js";
import { orderWords, photoWords } from "../words/orders.js";
import { paymentWords } from "../words/payments.js";
import { shopWords } from "../words/shop.js";
import { tileWords } from "../words/tiles.js";
import { unitOf, words, wordsLanguage } from "../words/words.js";
import { kindOf } from "./prices.js";

/** @typedef {import("../domain/kinds.js").Kind} Kind */

/** Of one of a few, its word. @param {() => Readonly<Record<string, any>>} choices */
const oneOf = (choices) => (/** @type {string} */ value) => choices()[value] ?? value;
/** @param {keyof typeof builderWords.value.paper.choices} name */
const ofPaper = (name) => oneOf(() => builderWords.value.paper.choices[name]);
/** Of an id, the name of what has it; a picture has none. @param {(id: string) => string | undefined} name */
const named = (name) => (/** @type {string} */ id) => name(id) ?? errorWords.value.conflict.chosen;
/** Of texts by a name, all of them. @param {object} texts */
const texts = (texts) => Object.values(texts).filter(Boolean).join(" / ");
/** In one language or in both. @param {string | object} value */
const inLanguages = (value) => typeof value === "string" ? value : texts(value);
const number = (/** @type {number} */ value) => shown(value, wordsLanguage.value);

/** @param {NonNullable<Api.InvoiceLine["tax"]>} tax */
const taxText = (tax) =>
  typeof tax === "number" ? percentage(tax, wordsLanguage.value) : ofPaper("taxKind")(tax);

/** @param {Api.NewInvoiceLine} line */
function lineText({ label, unit, quantity: count, unitPrice, tax }) {
  const text = `${label}: ${quantity(count, wordsLanguage.value)} ${unitOf(count, unit)} × ${
    number(unitPrice)
  }`;
  return tax === undefined ? text : `${text} · ${taxText(tax)}`;
}

const day = (/** @type {string} */ on) => weekday(on, clock.value.today, wordsLanguage.value);

const isTrue = (/** @type {boolean} */ value) => errorWords.value.conflict[value ? "yes" : "no"];

/** How each field is shown that is neither a text nor a number, by its name; by kind and name where a name has two meanings. @type {Record<string, (value: any) => string>} */
const FIELDS = {
  assignedTo: named((uid) => workshop.value?.members.find(({ id }) => id === uid)?.name),
  background: oneOf(() => shopWords.value.sign.backgrounds),
  breakdown: ofPaper("breakdown"),
  customBackground: (custom) => custom.kind === "solid" ? custom.color : `${custom.from} – ${custom.to}`,
  customerId: named((id) => customerOf(id)?.name),
  "customer.kind": oneOf(() => customerWords.value.kinds),
  depositKind: ofPaper("depositKind"),
  documentTitle: ofPaper("documentTitle"),
  dueDate: day,
  dueOn: day,
  emails: (emails) => emails.join(", "),
  estimateId: named((id) => replica.views.estimate.get(id)?.name),
  iconFileId: named(() => undefined),
  iconSize: oneOf(() => tileWords.value.sizes),
  invoiceNumbers: texts,
  isConsumer: (is) => invoiceWords.value.whos[is ? "consumer" : "company"],
  keepCustomers: isTrue,
  kind: oneOf(() => photoWords.value.kinds),
  lines: (lines) => lines.map(lineText).join("; "),
  locale: oneOf(() => words.value.common.languages),
  logoFileId: named(() => undefined),
  method: oneOf(() => paymentWords.value.methods),
  outcome: oneOf(() => orderWords.value.outcome),
  phones: (phones) => phones.map((/** @type {Api.NewPhone} */ phone) => phone.number).join(", "),
  pricesEntered: (prices) => kindOf(prices),
  pricesShown: ofPaper("pricesShown"),
  saleDate: day,
  sections: texts,
  shared: isTrue,
  showLogo: isTrue,
  tagline: inLanguages,
  taxKind: ofPaper("taxKind"),
  taxLabel: inLanguages,
  terms: inLanguages,
  titleFont: oneOf(() => shopWords.value.sign.fonts),
  unit: (unit) => words.value.common.units[/** @type {"job"} */ (unit)].long,
  waitingFor: oneOf(() => orderWords.value.waitingFor),
  waitingUntil: day,
  withdrawal: ofPaper("withdrawal"),
};

/** The value of a field of a change; "" where there is none. @param {{ kind: Kind, op?: string }} of the change, or the kind of its object @param {string} field @param {any} value @returns {string} */
export function valueText({ kind, op }, field, value) {
  if (value === undefined || value === null || value === "" || Array.isArray(value) && !value.length) {
    return "";
  }
  // By the ids of lines.
  if (op === "document.editTaxes") return taxText(value);
  if (typeof value === "number") return number(value);
  return (FIELDS[`${kind}.${field}`] ?? FIELDS[field] ?? String)(value);
}
