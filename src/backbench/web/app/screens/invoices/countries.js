// Countries: their names in the language of the app.

import { COUNTRIES } from "../../domain/phone-countries.js";
import { localeOf } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";

/** Codes of phones that are no countries of addresses. */
const NOT_LISTED = ["AC", "TA", "XK"];
const CODES = [...new Set(COUNTRIES.split(";").map((one) => one.slice(0, 2)))].filter((code) =>
  !NOT_LISTED.includes(code)
);

/** @param {string} code */
export const countryName = (code) =>
  new Intl.DisplayNames(localeOf(wordsLanguage.value), { type: "region" }).of(code) ?? code;

/** All countries by name, the own one first. @param {string} none what no country is called @param {string | undefined} own */
export function countryOptions(none, own = "") {
  const all = CODES.map((value) => ({ value, label: countryName(value) }))
    .sort((one, other) => one.label.localeCompare(other.label, wordsLanguage.value));
  const first = all.filter(({ value }) => value === own);
  return [{ value: "", label: none }, ...first, ...all.filter(({ value }) => value !== own)];
}
