/** @typedef {"en" | "pl"} Language */
/**
 * The forms of a word by number. English has one and other; Polish has one (1 deska), few (2 deski), many (5 desek)
 * and other (1,5 deski).
 * @typedef {{one: string, few?: string, many?: string, other: string}} Forms
 */

/** @type {Map<string, Intl.PluralRules>} */
const rules = new Map();

/**
 * The form for the number, in the language.
 * @param {Language} language
 * @param {number} count
 * @param {Forms} forms
 */
export function pluralOf(language, count, forms) {
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  const category = rule.select(count);
  return (category in forms ? forms[/** @type {keyof Forms} */ (category)] : undefined) ?? forms.other;
}
