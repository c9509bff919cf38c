// The name of the work in an estimate, which an order takes over.

/** What a document may be called, by language. */
const TITLES = {
  en: { estimate: "Estimate", quotation: "Quotation", cost_estimate: "Cost estimate" },
  pl: { estimate: "Wycena", quotation: "Oferta", cost_estimate: "Kosztorys" },
};
/** Characters of a name. */
const LONGEST = 250;
const ANY_TITLE = Object.values(TITLES).flatMap((titles) => Object.values(titles)).join("|");
const GIVEN = new RegExp(`^(?:${ANY_TITLE}) \\d{1,2} \\p{L}{3,5}(?: \\(\\d+\\))?$`, "u");

/**
 * What the work is called: the name of the estimate, or its first line where the app gave the name.
 * @param {string} name
 * @param {readonly { label: string }[]} lines
 */
export function workName(name, lines) {
  const [first, ...others] = lines;
  if (!first || !GIVEN.test(name)) return name;
  const suffix = others.length ? ` +${others.length}` : "";
  return [...first.label].slice(0, LONGEST - suffix.length).join("") + suffix;
}

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
