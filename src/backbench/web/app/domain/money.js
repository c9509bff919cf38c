// Money: the totals of an estimate, in the server's order of rounding. Equal to `GET /estimates/{id}/totals`.

import { minorDigits } from "./currencies.js";
import { decimal, decimalText, fixed, PLACES, rounded, SCALE } from "./decimals.js";
import { linesRates, netsByRate } from "./taxes.js";

export { minorDigits };

/** @typedef {import("./decimals.js").Numeric} Numeric */
/** @typedef {{id: string, unitPrice: Numeric, quantity: Numeric}} PricedLine */
/** @typedef {{id: string, amount: string}} LineAmount */
/** @typedef {{label: string, percent: string, net: string, amount: string}} TaxAmount */

/**
 * What totals are computed from. `lineTaxes` are rates by line id, for lines that do not have `taxPercent`.
 * @typedef {object} Priced
 * @property {readonly PricedLine[]} lineItems
 * @property {Numeric} [markupPercent]
 * @property {Numeric} [discountPercent]
 * @property {Numeric | null} [taxPercent]
 * @property {string} [taxLabel]
 * @property {Readonly<Record<string, Numeric>>} [lineTaxes]
 * @property {Numeric | null} [depositPercent]
 */

/**
 * As the answer of the server, with amounts as decimal text in the decimals of the currency. `tax` is absent if no tax
 * is set; `taxes` is present if the lines have different rates. `deposit` is the part of the total due with the order.
 * @typedef {object} Totals
 * @property {string} currency
 * @property {LineAmount[]} lines
 * @property {string} subtotal
 * @property {string} markup
 * @property {string} discount
 * @property {string} net
 * @property {string} [tax]
 * @property {TaxAmount[]} [taxes]
 * @property {string} total
 * @property {string} [deposit]
 */

/**
 * @param {Pick<PricedLine, "unitPrice" | "quantity">} line
 * @param {string} currency
 */
export function lineAmount(line, currency) {
  const digits = minorDigits(currency);
  return fixed(lineUnits(line, digits), digits);
}

/**
 * The totals. Each line is rounded, then markup, discount and taxes, each computed from rounded amounts.
 * @param {Priced} estimate
 * @param {string} currency
 * @returns {Totals}
 */
export function totals(estimate, currency) {
  const digits = minorDigits(currency);
  const amounts = estimate.lineItems.map((line) => lineUnits(line, digits));
  const subtotal = sum(amounts);
  const markup = percentage(subtotal, estimate.markupPercent);
  const discount = percentage(subtotal + markup, estimate.discountPercent);
  const net = subtotal + markup - discount;
  const taxed = taxUnits(estimate, amounts, net);
  const total = net + taxed.sum;
  /** @param {bigint} units */
  const text = (units) => fixed(units, digits);
  return {
    currency,
    lines: estimate.lineItems.map((line, at) => ({ id: line.id, amount: text(amounts[at] ?? 0n) })),
    subtotal: text(subtotal),
    markup: text(markup),
    discount: text(discount),
    net: text(net),
    ...taxTexts(taxed, estimate.taxLabel, text),
    total: text(total),
    ...(hasDeposit(estimate) ? { deposit: text(percentage(total, estimate.depositPercent)) } : {}),
  };
}

/** @typedef {{rate: bigint, net: bigint, tax: bigint}} RateUnits */

/**
 * @param {Priced} estimate
 * @param {bigint[]} amounts
 * @param {bigint} net
 */
function taxUnits(estimate, amounts, net) {
  const rates = linesRates(estimate.lineItems, estimate.taxPercent, estimate.lineTaxes);
  /** @type {RateUnits[]} */
  const byRate = netsByRate(rates, amounts, net).map(([rate, part]) => ({
    rate,
    net: part,
    tax: percentageOf(part, rate),
  }));
  return { byRate, sum: sum(byRate.map((entry) => entry.tax)) };
}

/**
 * @param {{byRate: RateUnits[], sum: bigint}} taxed
 * @param {string | undefined} label
 * @param {(units: bigint) => string} text
 * @returns {Pick<Totals, "tax" | "taxes">}
 */
function taxTexts({ byRate, sum }, label, text) {
  if (!byRate.length) return {};
  if (byRate.length === 1) return { tax: text(sum) };
  const taxes = byRate.map(({ rate, net, tax }) => ({
    label: label || "VAT",
    percent: decimalText(rate),
    net: text(net),
    amount: text(tax),
  }));
  return { tax: text(sum), taxes };
}

/** @param {Priced} estimate */
function hasDeposit({ depositPercent }) {
  return depositPercent !== undefined && depositPercent !== null && decimal(depositPercent) > 0n;
}

/** Amounts of lines that were computed before: at each tap all but one line are the same. @type {WeakMap<object, Map<number, bigint>>} */
const computed = new WeakMap();

/**
 * The amount of a line in minor units.
 * @param {Pick<PricedLine, "unitPrice" | "quantity">} line which is not changed afterwards
 * @param {number} digits
 */
function lineUnits(line, digits) {
  const known = computed.get(line) ?? new Map();
  const units = known.get(digits) ?? newLineUnits(line, digits);
  computed.set(line, known.set(digits, units));
  return units;
}

/**
 * @param {Pick<PricedLine, "unitPrice" | "quantity">} line
 * @param {number} digits
 */
function newLineUnits(line, digits) {
  return rounded(decimal(line.unitPrice) * decimal(line.quantity), 10n ** BigInt(2 * PLACES - digits));
}

/**
 * @param {bigint} units
 * @param {Numeric | null} [percent]
 */
function percentage(units, percent) {
  return percentageOf(units, decimal(percent ?? 0));
}

/**
 * @param {bigint} units
 * @param {bigint} percent in ten-thousandths
 */
function percentageOf(units, percent) {
  return rounded(units * percent, 100n * SCALE);
}

/** @param {bigint[]} values */
function sum(values) {
  return values.reduce((left, right) => left + right, 0n);
}
