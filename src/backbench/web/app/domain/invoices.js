// Invoices: what an order is invoiced with next, which of them wait for money, and what a draft lacks.

import { minorDigits } from "./currencies.js";
import { decimal, fixed, PLACES, SCALE } from "./decimals.js";

/** @typedef {"draft" | "overdue" | "unpaid" | "paid" | "issued"} State */
/** @typedef {Api.NewInvoice["kind"]} NewKind */

/** In the order of the settings. */
export const KINDS_OF_INVOICES = /** @type {const} */ (["invoice", "advance", "final", "correction"]);

/** What was issued and is neither paid nor to be paid is "issued": a correction that adds nothing, or an invoice corrected to nothing. @param {Api.Invoice} invoice @param {string} today YYYY-MM-DD @returns {State} */
export function stateOf({ state, dueDate = "", paid, toPay }, today) {
  if (state === "draft") return "draft";
  if (toPay > 0) return dueDate && dueDate < today ? "overdue" : "unpaid";
  return paid > 0 ? "paid" : "issued";
}

const RANKS = /** @type {const} */ (["overdue", "unpaid", "draft"]);

/** What waits for money comes first, the longest overdue before the others; then drafts; then the newest. @param {readonly Api.Invoice[]} invoices @param {string} today */
export function inOrder(invoices, today) {
  const rank = (/** @type {Api.Invoice} */ one) => {
    const at = /** @type {readonly State[]} */ (RANKS).indexOf(stateOf(one, today));
    return at < 0 ? RANKS.length : at;
  };
  return [...invoices].sort((one, other) =>
    rank(one) - rank(other) ||
    (one.toPay > 0 ? compare(one.dueDate, other.dueDate) : 0) ||
    compare(other.issuedAt ?? other.createdAt, one.issuedAt ?? one.createdAt) || compare(other.id, one.id)
  );
}

const compare = (one = "", other = "") => one < other ? -1 : Number(one > other);

/** Whether an invoice was issued and not corrected to nothing. @param {Api.Invoice} invoice @param {readonly Api.Invoice[]} all of its order */
function stands(invoice, all) {
  if (invoice.state !== "issued") return false;
  const corrections = all.filter((one) => one.corrects?.invoiceId === invoice.id && one.state === "issued");
  const { lines } = corrections.sort((one, other) => compare(other.issuedAt, one.issuedAt))[0] ?? invoice;
  return lines.some(({ quantity }) => quantity > 0);
}

/** What can be made of an order next; the first is the usual one. @param {readonly Api.Invoice[]} all of the order @returns {NewKind[]} */
export function nextKinds(all) {
  const whole = all.filter(({ kind }) => kind === "invoice" || kind === "final");
  if (whole.some((one) => stands(one, all))) return [];
  const isPaidAhead = all.some((one) => one.kind === "advance" && stands(one, all));
  const usual = isPaidAhead ? "final" : "invoice";
  const isDrafted = whole.some(({ kind, state }) => state === "draft" && kind === usual);
  return isDrafted ? ["advance"] : [usual, "advance"];
}

/** The weights of the digits of a Polish tax number. */
const WEIGHTS = [6, 5, 7, 2, 3, 4, 5, 6, 7];

/** What a tax number is called in front of it, as the server reads it: `NIP 525…`, `VAT no. PL…`. */
const NAME =
  /^\s*(?:nip|vat|tax|ust|tva|btw)(?![a-z])(?:[\s./-]*(?:id|idnr|no|nr|reg|number)(?![a-z]))*[\s.:]*/i;

/** The digits of a Polish tax number, also of one with its name and its country before it; "" of another text. @param {string} text */
function nipOf(text) {
  const digits = text.replace(NAME, "").replace(/[^0-9A-Za-z]/g, "").replace(/^PL/i, "");
  return /^[1-9](?:\d[1-9]|[1-9]\d)\d{7}$/.test(digits) ? digits : "";
}

/** Whether it is a Polish tax number without a typing error. @param {string} text */
export function isNip(text) {
  const digits = nipOf(text);
  const sum = WEIGHTS.reduce((found, weight, at) => found + weight * Number(digits[at]), 0);
  return sum % 11 === Number(digits[9]);
}

/** Whether a day can be that of an invoice or payment, as the server takes it: a year typed in part, such as 0026, is none. @param {string} day */
export const isDay = (day) => /^20\d\d-/.test(day);

/** The rates of FA(3), in percent. */
const FA3_RATES = [23, 22, 8, 7, 5, 4, 3, 0];

/**
 * The facts that a draft lacks, or has and the file cannot say, as pointers: once it is issued, they cannot be changed. Of
 * a file for KSeF where the currency is PLN, else of one by EN 16931. The server judges the rest.
 * @param {Api.Invoice} invoice @param {string | undefined} exemptReason of the settings
 */
export function lacking({ seller, buyer, lines, currency, saleDate, dueDate }, exemptReason) {
  const isPolish = currency === "PLN";
  const isOff = (/** @type {string | undefined} */ day, /** @type {string} */ first) =>
    isPolish && day !== undefined && (day < first || day > "2050-01-01");
  const taxes = lines.map(({ tax }) => tax);
  const isOutside = taxes.every((tax) => tax === "outside");
  const isExempt = taxes.some((tax) => tax === undefined || tax === "exempt");
  const isUnknown = (/** @type {Api.InvoiceLine["tax"]} */ tax) =>
    isPolish ? typeof tax === "number" && !FA3_RATES.includes(tax) : tax === "outside" && !isOutside;
  const needs = /** @type {const} */ ([
    ["/lines", lines.length === 0],
    ["/seller/country", !seller.country],
    ["/seller/taxId", isPolish ? !nipOf(seller.taxId ?? "") : !isOutside && !seller.taxId],
    ["/seller/address", isPolish && !seller.address?.trim()],
    ["/seller/registration", !isPolish && isOutside && !seller.registration],
    ["/exemptReason", isExempt && !exemptReason],
    ["/buyer/name", !buyer.name.trim()],
    ["/buyer/taxId", (!buyer.isConsumer || taxes.includes("reverse_charge")) && !buyer.taxId],
    ["/buyer/country", !buyer.isConsumer && !buyer.country],
    ...taxes.map((tax, at) => /** @type {const} */ ([`/lines/${at}/tax`, isUnknown(tax)])),
    ["/currency", minorDigits(currency) > 2],
    ["/saleDate", isOff(saleDate, "2006-01-01")],
    ["/dueDate", isOff(dueDate, "2016-07-01")],
  ]);
  return needs.flatMap(([pointer, isSo]) => isSo ? [pointer] : []);
}

/** The price of one line of an agreed price with tax, as the workshop enters prices; never more than was agreed. @param {string | number} agreed @param {"net" | "gross"} prices @param {number | undefined} taxPercent @param {string} currency */
export function priceOf(agreed, prices, taxPercent = 0, currency) {
  const whole = decimal(agreed);
  const digits = minorDigits(currency);
  const step = 10n ** BigInt(PLACES - digits);
  const net = prices === "gross" ? whole : whole * 100n * SCALE / (100n * SCALE + decimal(taxPercent));
  return Number(fixed(net / step, digits));
}

const BEGINNINGS = {
  invoice: ["FV", "INV"],
  advance: ["ZAL", "ADV"],
  final: ["FK", "FIN"],
  correction: ["KOR", "COR"],
};

/** How numbers of a kind look where the settings say nothing. @param {keyof typeof BEGINNINGS} kind @param {string | undefined} country */
export const usualPattern = (kind, country) => `${BEGINNINGS[kind][country === "PL" ? 0 : 1]} {n}/{year}`;

/** A line as it is sent: without its amount, which the server computes. @param {Api.InvoiceLine} line @returns {Api.NewInvoiceLine} */
export const enteredLine = ({ label, unit, quantity, unitPrice = 0, tax }) => ({
  label,
  unit,
  quantity,
  unitPrice,
  ...(tax === undefined ? {} : { tax }),
});
