// Decimals: exact numbers with at most four decimals, as BigInt in ten-thousandths. Never binary fractions.

export const PLACES = 4;
export const SCALE = 10n ** BigInt(PLACES);
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * A number of the wire: a JSON number, or decimal text. A JSON number is read by its shortest text.
 * @typedef {number | string} Numeric
 */

/**
 * The number in ten-thousandths. Throws a RangeError for a text that is no number, or has more decimals.
 * @param {Numeric} value
 * @returns {bigint}
 */
export function decimal(value) {
  const found = NUMBER.exec(String(value));
  if (!found) throw new RangeError(`Not a decimal number: ${value}`);
  const [, sign, whole = "", fraction = "", exponent = "0"] = found;
  const digits = (whole + fraction).replace(/^0+(?=\d)/, "");
  const shift = Number(exponent) - fraction.length + PLACES;
  const scaled = shift < 0 ? shortened(digits, -shift) : BigInt(digits) * 10n ** BigInt(shift);
  return sign ? -scaled : scaled;
}

/**
 * @param {string} digits
 * @param {number} places
 */
function shortened(digits, places) {
  const kept = digits.slice(0, -places) || "0";
  if (/[1-9]/.test(digits.slice(-places))) throw new RangeError(`More than ${PLACES} decimals`);
  return BigInt(kept);
}

/**
 * Decimal text in its shortest form: 12.1, not 12.1000.
 * @param {bigint} scaled in ten-thousandths
 */
export function decimalText(scaled) {
  const text = fixed(scaled, PLACES);
  return text.replace(/\.?0+$/, "");
}

/**
 * Decimal text with exactly so many decimals.
 * @param {bigint} units the number in units of the last decimal
 * @param {number} digits
 */
export function fixed(units, digits) {
  const sign = units < 0n ? "-" : "";
  const text = String(units < 0n ? -units : units).padStart(digits + 1, "0");
  if (digits === 0) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/**
 * The quotient rounded half away from zero, as the server does. The divisor is positive.
 * @param {bigint} above
 * @param {bigint} below
 * @returns {bigint}
 */
export function rounded(above, below) {
  return above < 0n ? -rounded(-above, below) : (2n * above + below) / (2n * below);
}
