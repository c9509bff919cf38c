// Money: the totals of an estimate, in the server's order of rounding. Equal to `GET /estimates/{id}/totals`.

import { minorDigits } from "./currencies.js";
import { decimal, decimalText, fixed, PLACES, rounded, SCALE } from "./decimals.js";
import { netsByTax, rateOf, taxesOfLines, taxOf } from "./taxes.js";

export { minorDigits };

/** @typedef {import("./decimals.js").Numeric} Numeric */
/** @typedef {{id: string, unitPrice: Numeric, quantity: Numeric}} PricedLine */
/** @typedef {{id: string, amount: string}} LineAmount */
/** @typedef {import("./taxes.js").NoRate} NoRate */
/** @typedef {import("./taxes.js").Tax} Tax */
/** Of a rate, or of a kind that is no rate. @typedef {{label?: string, percent?: string, kind?: NoRate, net: string, amount: string}} TaxAmount */

/**
 * What totals are computed from. `lineTaxes` are taxes by line id, for lines that do not have that of the estimate.
 * @typedef {object} Priced
 * @property {readonly PricedLine[]} lineItems
 * @property {Numeric} [markupPercent]
 * @property {Numeric} [discountPercent]
 * @property {Numeric | null} [taxPercent]
 * @property {"rate" | NoRate} [taxKind]
 * @property {string} [taxLabel]
 * @property {Readonly<Record<string, Numeric | NoRate>>} [lineTaxes]
 * @property {Numeric | null} [depositPercent]
 * @property {Numeric | null} [depositAmount]
 */

/**
 * As the answer of the server, with amounts as decimal text in the decimals of the currency. `tax` is absent if no tax
 * is set; `taxes` is present if the lines have different taxes, or one that is no rate. `deposit` is due with the order.
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
  const lines = estimate.lineItems.map((line) => computedLine(line, digits));
  const amounts = lines.map(({ units }) => units);
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
    lines: lines.map(({ shown }) => shown),
    subtotal: text(subtotal),
    markup: text(markup),
    discount: text(discount),
    net: text(net),
    ...taxTexts(taxed, estimate.taxLabel, text),
    total: text(total),
    ...depositText(depositUnits(estimate, total, digits), text),
  };
}

/** @typedef {{of: Tax, net: bigint, tax: bigint}} TaxUnits */

/**
 * @param {Priced} estimate
 * @param {bigint[]} amounts
 * @param {bigint} net
 */
function taxUnits(estimate, amounts, net) {
  const general = taxOf(estimate.taxKind, estimate.taxPercent);
  /** @type {TaxUnits[]} */
  const byTax = netsByTax(taxesOfLines(estimate.lineItems, general, estimate.lineTaxes), amounts, net).map((
    [of, part],
  ) => ({ of, net: part, tax: percentageOf(part, rateOf(of)) }));
  return { byTax, sum: sum(byTax.map((entry) => entry.tax)) };
}

/**
 * @param {{byTax: TaxUnits[], sum: bigint}} taxed
 * @param {string | undefined} label
 * @param {(units: bigint) => string} text
 * @returns {Pick<Totals, "tax" | "taxes">}
 */
function taxTexts({ byTax, sum }, label, text) {
  if (!byTax.length) return {};
  if (byTax.length === 1 && typeof byTax[0]?.of === "bigint") return { tax: text(sum) };
  const taxes = byTax.map(({ of, net, tax }) => ({
    ...(typeof of === "bigint" ? { label: label || "VAT", percent: decimalText(of) } : { kind: of }),
    net: text(net),
    amount: text(tax),
  }));
  return { tax: text(sum), taxes };
}

/** A percentage of the total, or an amount up to it. @param {Priced} estimate @param {bigint} total @param {number} digits */
function depositUnits({ depositPercent, depositAmount }, total, digits) {
  if (depositAmount === undefined || depositAmount === null) return percentage(total, depositPercent);
  const units = rounded(decimal(depositAmount), 10n ** BigInt(PLACES - digits));
  return units < total ? units : total;
}

/** @param {bigint} units @param {(units: bigint) => string} text */
function depositText(units, text) {
  return units > 0n ? { deposit: text(units) } : {};
}

/** @typedef {{units: bigint, digits: number, shown: LineAmount}} ComputedLine */
/** Lines that were computed before: at each tap all but one are the same. @type {WeakMap<object, ComputedLine>} */
const computed = new WeakMap();

/** @param {PricedLine} line which is not changed afterwards @param {number} digits @returns {ComputedLine} */
function computedLine(line, digits) {
  const former = computed.get(line);
  if (former?.digits === digits) return former;
  const units = lineUnits(line, digits);
  const made = { units, digits, shown: { id: line.id, amount: fixed(units, digits) } };
  computed.set(line, made);
  return made;
}

/** The amount of a line in minor units. @param {Pick<PricedLine, "unitPrice" | "quantity">} line @param {number} digits */
function lineUnits(line, digits) {
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
