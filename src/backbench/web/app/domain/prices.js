// Prices with and without tax: a unit price of the one kind as one of the other, rounded half-up to the minor unit.

import { decimal, decimalText, PLACES, rounded, SCALE } from "./decimals.js";

/** @typedef {import("./decimals.js").Numeric} Numeric */

/**
 * The price with the tax, in ten-thousandths. Without a tax it stays as fine as it is.
 * @param {Numeric} net
 * @param {bigint} rate in ten-thousandths of a per cent
 * @param {number} digits of the currency
 */
export function grossUnits(net, rate, digits) {
  return scaled(decimal(net), 100n * SCALE + rate, 100n * SCALE, rate, digits);
}

/**
 * The price without the tax that is in it, in ten-thousandths.
 * @param {Numeric} gross
 * @param {bigint} rate in ten-thousandths of a per cent
 * @param {number} digits of the currency
 */
function netUnits(gross, rate, digits) {
  return scaled(decimal(gross), 100n * SCALE, 100n * SCALE + rate, rate, digits);
}

/** @param {bigint} price @param {bigint} above @param {bigint} below @param {bigint} rate @param {number} digits */
function scaled(price, above, below, rate, digits) {
  if (rate === 0n) return price;
  const step = 10n ** BigInt(PLACES - digits);
  return rounded(price * above, below * step) * step;
}

/**
 * A unit price of one kind as one of the other, as the API takes it.
 * @param {Numeric} price
 * @param {{ from: "net" | "gross", to: "net" | "gross", rate: bigint, digits: number }} conversion
 */
export function converted(price, { from, to, rate, digits }) {
  if (from === to) return Number(price);
  return Number(decimalText((to === "gross" ? grossUnits : netUnits)(price, rate, digits)));
}
