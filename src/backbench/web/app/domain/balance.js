// Balance of an order: what is paid and due, by the rules of the server, with payments that it has not got yet.

import { minorDigits } from "./currencies.js";
import { decimal, fixed, PLACES } from "./decimals.js";

/** Amounts are decimal text. @typedef {{currency: string, source: Api.Balance["source"], paid: string, agreed?: string, due?: string, overpaid?: string, deposit?: {amount: string, paid: string, left: string}}} Money */
/** @typedef {Pick<Api.Payment, "kind" | "amount" | "currency">} Paid */

/**
 * @param {Partial<Api.Balance>} balance as the server gave it, with the price that was entered since
 * @param {Api.Payment[]} payments those that wait included
 * @param {string} currency of the workshop
 * @returns {Money}
 */
export function balanceOf(balance, payments, currency) {
  const standing = payments.filter((each) => !each.voidedAt);
  const of = balance.agreed === undefined ? standing[0]?.currency ?? currency : balance.currency ?? currency;
  const counted = standing.filter((each) => each.currency === of);
  const paid = sum(counted.map(received));
  /** @param {bigint} value */
  const text = (value) => textOf(value, of);
  /** @type {Money} */
  const found = { currency: of, source: balance.source ?? "none", paid: text(paid) };
  if (balance.agreed === undefined) return found;
  const agreed = units(balance.agreed);
  const left = agreed - paid;
  const deposits = sum(counted.filter(({ kind }) => kind === "deposit").map((each) => units(each.amount)));
  return {
    ...found,
    agreed: text(agreed),
    due: text(left > 0n ? left : 0n),
    ...(left < 0n ? { overpaid: text(-left) } : {}),
    ...depositOf(balance.deposit, deposits, paid, text),
  };
}

/** @param {Api.Balance["deposit"]} deposit @param {bigint} deposits @param {bigint} paid @param {(value: bigint) => string} text */
function depositOf(deposit, deposits, paid, text) {
  if (!deposit) return {};
  const left = units(deposit.amount) - paid;
  return {
    deposit: { amount: text(units(deposit.amount)), paid: text(deposits), left: text(left > 0n ? left : 0n) },
  };
}

/**
 * What is due after payments, and the voiding of others, that the server has not got yet. Where nothing is due, a refund
 * gives back first what was paid too much.
 * @param {{amount: number | string, currency: string}} due @param {number} overpaid
 * @param {Paid[]} recorded @param {Paid[]} voided
 */
function dueAfter(due, overpaid, recorded, voided) {
  const inCurrency = (/** @type {Paid} */ { currency }) => currency === due.currency;
  const paid = sum(recorded.filter(inCurrency).map(received)) - sum(voided.filter(inCurrency).map(received));
  const left = (units(due.amount) || -units(overpaid)) - paid;
  return textOf(left > 0n ? left : 0n, due.currency);
}

/**
 * What is due with the prices and payments that wait to be sent. At a price that the server has not got yet it follows from
 * the balance and the payments that are known here. Undefined without a price.
 * @param {{amount: number | string, currency: string} | undefined} due as the server said it
 * @param {{op: string, args: Record<string, any>, problem: unknown}[]} waiting
 * @param {{balance?: Partial<Api.Balance>, payments?: Api.Payment[], currency: string}} known `currency` of the workshop
 */
export function dueWith(due, waiting, { balance = {}, payments = [], currency }) {
  const sent = waiting.filter(({ problem }) => !problem);
  if (sent.some(({ op }) => op === "orderBalance.agree")) {
    const money = balanceOf(balance, payments, currency);
    return money.due === undefined ? undefined : { amount: money.due, currency: money.currency };
  }
  const recorded = sent.filter(({ op }) => op === "orderPayments.record")
    .map(({ args }) => ({ ...args.payment, currency: args.shown.currency }));
  const voids = sent.filter(({ op }) => op === "orderPayments.void").map(({ args }) => args.paymentId);
  const voided = payments.filter(({ id }) => voids.includes(id));
  return due && recorded.length + voided.length
    ? { ...due, amount: dueAfter(due, balance.overpaid ?? 0, recorded, voided) }
    : due;
}

/** What a payment adds to the sum that is paid. @param {Pick<Paid, "kind" | "amount">} payment */
const received = ({ kind, amount }) => kind === "refund" ? -units(amount) : units(amount);

/** @param {number | string} amount in ten-thousandths */
export function units(amount) {
  return decimal(amount);
}

/** @param {bigint} value @param {string} currency */
export function textOf(value, currency) {
  const digits = minorDigits(currency);
  return fixed(value / 10n ** BigInt(PLACES - digits), digits);
}

/** @param {bigint[]} values */
function sum(values) {
  return values.reduce((left, right) => left + right, 0n);
}

/** @typedef {Api.NewPayment["method"]} Method */

/** BLIK is of Polish banks. @param {string} currency @returns {readonly Method[]} */
export function methodsOf(currency) {
  return [
    "cash",
    "card",
    "transfer",
    ...(currency === "PLN" ? /** @type {const} */ (["blik"]) : []),
    "other",
  ];
}
