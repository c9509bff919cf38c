// Taxes: the tax of each line, and the part of the net sum that each tax is of.

import { decimal } from "./decimals.js";

/** @typedef {import("./decimals.js").Numeric} Numeric */

/** @typedef {"exempt" | "reverse_charge" | "outside"} NoRate a tax that is no rate */
/** @typedef {bigint | NoRate} Tax a rate in ten-thousandths, or a kind without one */

/** In the order of a table of taxes. @type {readonly NoRate[]} */
const NO_RATES = ["exempt", "reverse_charge", "outside"];

/** The tax of an estimate, or null. @param {"rate" | NoRate | undefined} kind @param {Numeric | null} [percent] @returns {Tax | null} */
export function taxOf(kind, percent) {
  return kind === undefined || kind === "rate" ? taxOrNull(percent) : kind;
}

/**
 * The tax of each line. Without any tax all are null; with some, a line without one has 0 %.
 * Where no line has a tax of its own, there is one entry, for that of the estimate.
 * @param {readonly {id: string}[]} lines
 * @param {Tax | null} general
 * @param {Readonly<Record<string, Numeric | NoRate>>} [lineTaxes]
 * @returns {(Tax | null)[]}
 */
export function taxesOfLines(lines, general, lineTaxes = {}) {
  const taxes = new Map(Object.entries(lineTaxes));
  if (!lines.length || !taxes.size) return [general];
  const own = lines.map(({ id }) => taxOrNull(taxes.get(id)));
  if (general === null && own.every((tax) => tax === null)) return own;
  return own.map((tax) => tax ?? general ?? 0n);
}

/** @param {Numeric | NoRate | null} [value] @returns {Tax | null} */
function taxOrNull(value) {
  if (value === undefined || value === null) return null;
  return NO_RATES.find((kind) => kind === value) ?? decimal(/** @type {Numeric} */ (value));
}

/** @param {Tax | null} tax */
export function rateOf(tax) {
  return typeof tax === "bigint" ? tax : 0n;
}

/**
 * The part of `net` that each tax is of: the highest rate first, then the kinds. They add up to `net`.
 * @param {readonly (Tax | null)[]} taxes
 * @param {readonly bigint[]} amounts
 * @param {bigint} net
 * @returns {[tax: Tax, part: bigint][]}
 */
export function netsByTax(taxes, amounts, net) {
  /** @type {Map<Tax, bigint>} */
  const found = new Map();
  taxes.forEach((tax, at) => {
    if (tax !== null) found.set(tax, (found.get(tax) ?? 0n) + (amounts[at] ?? 0n));
  });
  const inOrder = [...found].sort(([left], [right]) => inTable(left, right));
  if (inOrder.length < 2) return inOrder.map(([tax]) => [tax, net]);
  const parts = allocate(inOrder.map(([, amount]) => amount), net);
  return inOrder.map(([tax], at) => [tax, parts[at] ?? 0n]);
}

/** @param {Tax} left @param {Tax} right */
function inTable(left, right) {
  return position(left) - position(right) || compare(rateOf(right), rateOf(left));
}

/** @param {Tax} tax */
const position = (tax) => typeof tax === "bigint" ? 0 : 1 + NO_RATES.indexOf(tax);

/**
 * `target` in minor units, allocated in proportion to `weights` by largest remainder.
 * @param {bigint[]} weights
 * @param {bigint} target
 */
function allocate(weights, target) {
  const whole = weights.reduce((left, right) => left + right, 0n) || 1n;
  const shares = weights.map((weight, at) => ({
    at,
    part: (weight * target) / whole,
    over: (weight * target) % whole,
  }));
  const left = target - shares.reduce((sum, share) => sum + share.part, 0n);
  const byRemainder = [...shares].sort((one, other) => compare(other.over, one.over) || one.at - other.at);
  for (const share of byRemainder.slice(0, Number(left))) share.part += 1n;
  return shares.map((share) => share.part);
}

/**
 * @param {bigint} left
 * @param {bigint} right
 */
function compare(left, right) {
  return left < right ? -1 : left > right ? 1 : 0;
}

// Tax rates: those of VAT that are usual in a country, the standard one first. Countries are found by their time zones.

/** @type {Readonly<Record<string, readonly number[]>>} */
const RATES = {
  AT: [20, 10],
  BE: [21, 6],
  CH: [8.1],
  CZ: [21, 12],
  DE: [19, 7],
  DK: [25],
  ES: [21, 10],
  FI: [25.5, 14],
  FR: [20, 10],
  GB: [20, 5],
  HU: [27],
  IE: [23, 13.5],
  IT: [22, 10],
  LT: [21],
  NL: [21, 9],
  NO: [25],
  PL: [23, 8],
  PT: [23, 13],
  SE: [25],
  SK: [23],
};

/** @type {Readonly<Record<string, string>>} */
const COUNTRIES = {
  "Europe/Amsterdam": "NL",
  "Europe/Belfast": "GB",
  "Europe/Berlin": "DE",
  "Europe/Bratislava": "SK",
  "Europe/Brussels": "BE",
  "Europe/Budapest": "HU",
  "Europe/Copenhagen": "DK",
  "Europe/Dublin": "IE",
  "Europe/Helsinki": "FI",
  "Europe/Lisbon": "PT",
  "Europe/London": "GB",
  "Europe/Madrid": "ES",
  "Europe/Oslo": "NO",
  "Europe/Paris": "FR",
  "Europe/Prague": "CZ",
  "Europe/Rome": "IT",
  "Europe/Stockholm": "SE",
  "Europe/Vienna": "AT",
  "Europe/Vilnius": "LT",
  "Europe/Warsaw": "PL",
  "Europe/Zurich": "CH",
};

/** @type {Readonly<Record<string, string>>} */
const CURRENCIES = { PLN: "PL", GBP: "GB", CZK: "CZ", HUF: "HU", CHF: "CH", SEK: "SE", NOK: "NO", DKK: "DK" };

/**
 * The rates that are usual where a workshop is; none where that is not known.
 * @param {string | undefined} timeZone
 * @param {string} currency says more than the time zone where only one country has it
 * @returns {readonly number[]}
 */
export function usualRates(timeZone, currency) {
  return RATES[CURRENCIES[currency] ?? COUNTRIES[timeZone ?? ""] ?? ""] ?? [];
}
