// Units after a number: 1 pair, 2 pairs.

import { words, wordsLanguage } from "./index.js";
import { pluralOf } from "./plurals.js";

/** @param {number} count @param {string} unit @returns {string} */
export function unitOf(count, unit) {
  const { counted } = words.value.common.units[/** @type {"piece"} */ (unit)];
  const [one = "", few = "", many = "", other = ""] = counted.split("|");
  return pluralOf(wordsLanguage.value, count, { one, few, many, other });
}
