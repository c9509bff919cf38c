// Names that the app gives until somebody types a better one.

const ENGLISH = {
  locale: "en-IE",
  titles: { estimate: "Estimate", quotation: "Quotation", cost_estimate: "Cost estimate" },
  copy: "copy",
};
const POLISH = {
  locale: "pl-PL",
  titles: { estimate: "Wycena", quotation: "Oferta", cost_estimate: "Kosztorys" },
  copy: "kopia",
};
/** What the workshop calls the document. @typedef {keyof ENGLISH["titles"]} DocumentTitle */
const LONGEST = 250;

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

const ANY_TITLE = [...Object.values(ENGLISH.titles), ...Object.values(POLISH.titles)].join("|");
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

/**
 * "Kitchen (copy)"
 * @param {string} name
 * @param {string} language
 * @param {Iterable<string>} [taken]
 */
export function copyName(name, language, taken = []) {
  const { copy } = wordsOf(language);
  const suffix = ` (${copy})`;
  return free([...name].slice(0, LONGEST - suffix.length - 5).join("") + suffix, taken);
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
