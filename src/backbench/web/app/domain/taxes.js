// Taxes: the rate of each line, and the part of the net sum that each rate is due on.

import { decimal } from "./decimals.js";

/** @typedef {import("./decimals.js").Numeric} Numeric */

/**
 * The tax rate of each line in ten-thousandths. Without any rate all are null; with some, a line without one has 0 %.
 * An estimate without lines has one entry, for the rate of its tax.
 * @param {readonly {id: string}[]} lines
 * @param {Numeric | null} [taxPercent]
 * @param {Readonly<Record<string, Numeric>>} [lineTaxes]
 * @returns {(bigint | null)[]}
 */
export function linesRates(lines, taxPercent, lineTaxes = {}) {
  const general = decimalOrNull(taxPercent);
  if (!lines.length) return [general];
  const rates = new Map(Object.entries(lineTaxes));
  const own = lines.map(({ id }) => decimalOrNull(rates.get(id)));
  if (general === null && own.every((rate) => rate === null)) return own;
  return own.map((rate) => rate ?? general ?? 0n);
}

/** @param {Numeric | null} [value] */
function decimalOrNull(value) {
  return value === undefined || value === null ? null : decimal(value);
}

/**
 * The part of `net` on which each rate is due, the highest rate first. They add up to `net`.
 * @param {(bigint | null)[]} rates
 * @param {bigint[]} amounts
 * @param {bigint} net
 * @returns {[rate: bigint, part: bigint][]}
 */
export function netsByRate(rates, amounts, net) {
  /** @type {Map<bigint, bigint>} */
  const found = new Map();
  rates.forEach((rate, at) => {
    if (rate !== null) found.set(rate, (found.get(rate) ?? 0n) + (amounts[at] ?? 0n));
  });
  const highestFirst = [...found].sort(([left], [right]) => compare(right, left));
  if (highestFirst.length < 2) return highestFirst.map(([rate]) => [rate, net]);
  const parts = allocate(highestFirst.map(([, amount]) => amount), net);
  return highestFirst.map(([rate], at) => [rate, parts[at] ?? 0n]);
}

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
