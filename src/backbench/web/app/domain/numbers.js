// Numbers as people type them: on the app's keypad, or with a keyboard. Comma and point both mean decimal, except the
// comma that English puts before three digits.

import { decimal, decimalText, PLACES, rounded, SCALE } from "./decimals.js";

/** @typedef {import("./decimals.js").Numeric} Numeric */
/** @typedef {{least: string, most: string}} Bounds */
/** @typedef {"missing" | "malformed" | "too_small" | "too_large" | "too_precise"} NumberProblem as in the API's errors */

/** Bounds of the API, each with at most four decimals. @satisfies {Record<string, Bounds>} */
export const BOUNDS = {
  unitPrice: { least: "0", most: "1000000000" },
  quantity: { least: "0", most: "1000000" },
  markupPercent: { least: "0", most: "1000" },
  discountPercent: { least: "0", most: "100" },
  taxPercent: { least: "0", most: "100" },
  depositPercent: { least: "0", most: "100" },
};

const SPACES = /[\s\u00A0\u202F']/g;
const PLAIN = /^\d*(?:[.,]\d*)?$/;
// Thousands grouped by the one sign, decimals after the other: pasted from a list of prices.
// As the app itself writes a thousand in English.
const THOUSANDS = /^[1-9]\d{0,2}(?:,\d{3})+$/;
const GROUPED = /^\d{1,3}(?:,\d{3})+\.\d*$|^\d{1,3}(?:\.\d{3})+,\d*$/;

/**
 * The number that was typed, as decimal text. Without a problem the value is a number that the API accepts.
 * @param {string} text
 * @param {Bounds} [bounds]
 * @param {string} [language] of the person
 * @returns {{value: string, problem: null} | {value: null, problem: NumberProblem}}
 */
export function typed(text, bounds = BOUNDS.unitPrice, language = "") {
  const spaceless = text.replace(SPACES, "");
  const compact = language === "en" && THOUSANDS.test(spaceless) ? spaceless.replaceAll(",", "") : spaceless;
  if (!compact) return refused("missing");
  const plain = plainText(compact);
  if (plain === null) return refused(/^-[\d.,]+$/.test(compact) ? "too_small" : "malformed");
  if ((plain.split(".")[1] ?? "").replace(/0+$/, "").length > PLACES) return refused("too_precise");
  const value = decimal(plain.replace(/(\.\d{4})0+$/, "$1"));
  if (value < decimal(bounds.least)) return refused("too_small");
  if (value > decimal(bounds.most)) return refused("too_large");
  return { value: decimalText(value), problem: null };
}

/** @param {NumberProblem} problem */
function refused(problem) {
  return /** @type {const} */ ({ value: null, problem });
}

/**
 * With a point as the decimal sign, or null if the text is no number.
 * @param {string} text
 */
function plainText(text) {
  const ungrouped = GROUPED.test(text) ? withoutGroups(text) : text;
  if (!PLAIN.test(ungrouped) || !/\d/.test(ungrouped)) return null;
  const [whole, fraction = ""] = ungrouped.replace(",", ".").split(".");
  return fraction ? `${whole || "0"}.${fraction}` : whole || "0";
}

/** @param {string} text */
function withoutGroups(text) {
  const last = Math.max(text.lastIndexOf(","), text.lastIndexOf("."));
  return `${text.slice(0, last).replace(/[.,]/g, "")}.${text.slice(last + 1)}`;
}

/**
 * The number as it stands in a field, with the decimal sign of the language.
 * @param {Numeric} value
 * @param {string} language
 */
export function shown(value, language) {
  const text = decimalText(decimal(value));
  return language === "pl" ? text.replace(".", ",") : text;
}

/** @typedef {"0"|"1"|"2"|"3"|"4"|"5"|"6"|"7"|"8"|"9"|"decimal"|"back"|"clear"} Key */

/**
 * The text after a key of the keypad. A key that would leave the bounds, or give a fifth decimal, changes nothing.
 * @param {string} text
 * @param {Key} key
 * @param {string} language
 * @param {Bounds} [bounds]
 */
export function pressed(text, key, language, bounds = BOUNDS.unitPrice) {
  if (key === "clear") return "";
  if (key === "back") return text.slice(0, -1);
  if (key === "decimal" && /[.,]/.test(text)) return text;
  const sign = language === "pl" ? "," : ".";
  const added = key === "decimal" ? (text || "0") + sign : (text === "0" ? "" : text) + key;
  const { problem } = typed(added, { least: "0", most: bounds.most });
  const isLonger = (added.split(/[.,]/)[1] ?? "").length > PLACES;
  return problem || isLonger ? text : added;
}

/**
 * The value so many times, or unchanged if that leaves the bounds.
 * @param {Numeric} value
 * @param {number} factor a whole number
 * @param {Bounds} [bounds]
 */
export function times(value, factor, bounds = BOUNDS.quantity) {
  return within(decimal(value) * BigInt(factor), value, bounds);
}

/**
 * The value changed by so many per cent (-10 is a tenth less), rounded half-up to `digits` decimals, or to as many as it has.
 * @param {Numeric} value
 * @param {Numeric} change
 * @param {number} [digits]
 * @param {Bounds} [bounds]
 */
export function percent(value, change, digits = 2, bounds = BOUNDS.unitPrice) {
  let step = 10n ** BigInt(PLACES - digits);
  while (decimal(value) % step) step /= 10n;
  const changed = rounded(decimal(value) * (100n * SCALE + decimal(change)), 100n * SCALE * step) * step;
  return within(changed, value, bounds);
}

/**
 * The sum, or the first value if the sum leaves the bounds.
 * @param {Numeric} value
 * @param {Numeric} added
 * @param {Bounds} [bounds]
 */
export function plus(value, added, bounds = BOUNDS.quantity) {
  return within(decimal(value) + decimal(added), value, bounds);
}

/**
 * @param {bigint} changed
 * @param {Numeric} value
 * @param {Bounds} bounds
 */
function within(changed, value, bounds) {
  const isInside = changed >= decimal(bounds.least) && changed <= decimal(bounds.most);
  return decimalText(isInside ? changed : decimal(value));
}
