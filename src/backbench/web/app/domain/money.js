// Money: the totals of an estimate, in the server's order of rounding. Equal to `GET /estimates/{id}/totals`.

import { minorDigits } from "./currencies.js";
import { decimal, decimalText, fixed, PLACES, rounded, SCALE } from "./decimals.js";
import { grossUnits } from "./prices.js";
import { netsByTax, rateOf, taxesOfLines, taxOf } from "./taxes.js";

export { minorDigits };

/** The currencies that are offered first; every other ISO 4217 code is accepted as well. */
export const USUAL_CURRENCIES = [
  "EUR",
  "PLN",
  "GBP",
  "USD",
  "CZK",
  "CHF",
  "SEK",
  "NOK",
  "DKK",
  "UAH",
  "CAD",
  "AUD",
];

/** @typedef {import("./decimals.js").Numeric} Numeric */
/** @typedef {{id: string, unitPrice: Numeric, quantity: Numeric}} PricedLine */
/** @typedef {{id: string, amount: string}} LineAmount */
/** @typedef {import("./taxes.js").NoRate} NoRate */
/** @typedef {import("./taxes.js").Tax} Tax */
/** Without tax, or with it. @typedef {"net" | "gross"} Prices */
/** Of a rate, or of a kind that is no rate. @typedef {{label?: string, percent?: string, kind?: NoRate, net: string, amount: string}} TaxAmount */

/**
 * What totals are computed from. `lineTaxes` are taxes by line id, for lines that do not have that of the estimate.
 * `pricesEntered` says what unit prices are; entered gross they are always shown gross.
 * @typedef {object} Priced
 * @property {readonly PricedLine[]} lineItems
 * @property {Numeric} [markupPercent]
 * @property {Numeric} [discountPercent]
 * @property {Numeric | null} [taxPercent]
 * @property {"rate" | NoRate} [taxKind]
 * @property {string} [taxLabel]
 * @property {Readonly<Record<string, Numeric | NoRate>>} [lineTaxes]
 * @property {Prices} [pricesEntered]
 * @property {Prices} [pricesShown]
 * @property {Numeric | null} [depositPercent]
 * @property {Numeric | null} [depositAmount]
 */

/**
 * As the answer of the server, with amounts as decimal text in the decimals of the currency. `tax` is absent if no tax
 * is set; `taxes` is present if the lines have different taxes, or one that is no rate. `deposit` is due with the order.
 * With `pricesShown`, lines, subtotal, markup and discount are gross, and the tax is part of the total.
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
 * @property {"gross"} [pricesShown]
 * @property {string} [deposit]
 */

/**
 * @param {Pick<PricedLine, "unitPrice" | "quantity">} line
 * @param {string} currency
 */
export function lineAmount(line, currency) {
  const digits = minorDigits(currency);
  return fixed(lineUnits(line, AS_ENTERED, digits), digits);
}

/**
 * The unit prices that are shown, as decimal text: as they were entered, or with the tax of their lines.
 * @param {Priced} estimate
 * @param {string} currency
 */
export function shownPrices(estimate, currency) {
  const digits = minorDigits(currency);
  const added = addedRates(estimate, taxesOf(estimate));
  return estimate.lineItems.map(({ unitPrice }, at) =>
    decimalText(grossUnits(unitPrice, added[at] ?? AS_ENTERED, digits))
  );
}

/**
 * The totals. Each line is rounded, then markup, discount and taxes, each computed from rounded amounts.
 * @param {Priced} estimate
 * @param {string} currency
 * @returns {Totals}
 */
export function totals(estimate, currency) {
  const digits = minorDigits(currency);
  const taxes = taxesOf(estimate);
  const added = addedRates(estimate, taxes);
  const lines = estimate.lineItems.map((line, at) => computedLine(line, added[at] ?? AS_ENTERED, digits));
  const subtotal = sum(lines.map(({ units }) => units));
  const markup = percentage(subtotal, estimate.markupPercent);
  const discount = percentage(subtotal + markup, estimate.discountPercent);
  const isGross = isShownGross(estimate);
  const taxed = taxUnits(taxes, lines, subtotal + markup - discount, isGross);
  const total = taxed.net + taxed.sum;
  /** @param {bigint} units */
  const text = (units) => fixed(units, digits);
  return {
    currency,
    lines: lines.map(({ shown }) => shown),
    subtotal: text(subtotal),
    markup: text(markup),
    discount: text(discount),
    net: text(taxed.net),
    ...taxTexts(taxed, estimate.taxLabel, text),
    total: text(total),
    ...(isGross ? { pricesShown: /** @type {const} */ ("gross") } : {}),
    ...depositText(depositUnits(estimate, total, digits), text),
  };
}

/** The tax of each line; one entry where all have that of the estimate. @param {Priced} estimate */
export function taxesOf({ lineItems, taxKind, taxPercent, lineTaxes }) {
  return taxesOfLines(lineItems, taxOf(taxKind, taxPercent), lineTaxes);
}

/** @param {Priced} estimate */
function isShownGross({ pricesEntered, pricesShown }) {
  return pricesEntered === "gross" || pricesShown === "gross";
}

const AS_ENTERED = 0n;

/** The rates that are added to the prices of the lines; none to what was entered with tax. @param {Priced} estimate @param {readonly (Tax | null)[]} taxes */
function addedRates({ lineItems, pricesEntered, pricesShown }, taxes) {
  if (pricesEntered === "gross" || pricesShown !== "gross") return [];
  return lineItems.map((_, at) => rateOf(taxes[taxes.length > 1 ? at : 0] ?? null));
}

/** @typedef {{of: Tax, net: bigint, tax: bigint}} TaxUnits */

/**
 * The taxes of `sum`, to which they are added, or which has them in it.
 * @param {readonly (Tax | null)[]} taxes of the lines
 * @param {readonly ComputedLine[]} lines
 * @param {bigint} whole
 * @param {boolean} isGross
 */
function taxUnits(taxes, lines, whole, isGross) {
  const amounts = lines.map(({ units }) => units);
  /** @type {TaxUnits[]} */
  const byTax = netsByTax(taxes, amounts, whole).map(([of, part]) => {
    const tax = isGross ? includedTax(part, rateOf(of)) : percentageOf(part, rateOf(of));
    return { of, net: isGross ? part - tax : part, tax };
  });
  const added = sum(byTax.map(({ tax }) => tax));
  return { byTax, net: isGross ? whole - added : whole, sum: added };
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

/** @typedef {{units: bigint, added: bigint, digits: number, shown: LineAmount}} ComputedLine */
/** Lines that were computed before: at each tap all but one are the same. @type {WeakMap<object, ComputedLine>} */
const computed = new WeakMap();

/** @param {PricedLine} line which is not changed afterwards @param {bigint} added rate @param {number} digits @returns {ComputedLine} */
function computedLine(line, added, digits) {
  const former = computed.get(line);
  if (former?.digits === digits && former.added === added) return former;
  const units = lineUnits(line, added, digits);
  const made = { units, added, digits, shown: { id: line.id, amount: fixed(units, digits) } };
  computed.set(line, made);
  return made;
}

/** The amount of a line in minor units. @param {Pick<PricedLine, "unitPrice" | "quantity">} line @param {bigint} added rate @param {number} digits */
function lineUnits(line, added, digits) {
  const price = grossUnits(line.unitPrice, added, digits);
  return rounded(price * decimal(line.quantity), 10n ** BigInt(2 * PLACES - digits));
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

/** The tax in an amount that has it in it. @param {bigint} units @param {bigint} percent in ten-thousandths */
function includedTax(units, percent) {
  return rounded(units * percent, 100n * SCALE + percent);
}

/** @param {bigint[]} values */
function sum(values) {
  return values.reduce((left, right) => left + right, 0n);
}
