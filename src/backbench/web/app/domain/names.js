// Names that the app gives until somebody types a better one.

import { TITLES } from "./work-name.js";

const ENGLISH = { locale: "en-IE", titles: TITLES.en };
const POLISH = { locale: "pl-PL", titles: TITLES.pl };
/** What the workshop calls the document. @typedef {keyof TITLES["en"]} DocumentTitle */

/**
 * "Estimate 21 Nov", or "Estimate 21 Nov (2)" if there is one of that name.
 * @param {Date | number | string} day
 * @param {string} language
 * @param {Iterable<string>} [taken]
 * @param {DocumentTitle} [title]
 */
export function estimateName(day, language, taken = [], title = "estimate") {
  const { locale, titles } = wordsOf(language);
  const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }).format(new Date(day));
  return free(`${titles[title]} ${date}`, taken);
}

/** @param {string} language */
function wordsOf(language) {
  return language === "pl" ? POLISH : ENGLISH;
}

/**
 * @param {string} name
 * @param {Iterable<string>} taken
 */
function free(name, taken) {
  const names = new Set(taken);
  if (!names.has(name)) return name;
  let number = 2;
  while (names.has(`${name} (${number})`)) number += 1;
  return `${name} (${number})`;
}
