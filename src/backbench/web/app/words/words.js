// Words: each is one line, with its English and its Polish text.
//
// `{name}` is a value; a text with values is a function of them, in the order of the English text. `{count|row|rows}` is
// the form for a number: one and other in English; one, few, many and other in Polish, where the last that is there stands
// for the rest. In a form `#` is the number, and a form that begins with `=0 ` is for this number alone.

import { computed, signal } from "../vendor/signals.js";

/** @typedef {"en" | "pl"} Language */
/** The words by area. @typedef {import("./common.js").First} Words */

const PLACE = /\{(\w+)(?:\|([^{}]*))?\}/g;
// Which form of a text is for a number; a language has no others.
const FORMS = { one: 0, few: 1, many: 2, zero: 3, two: 3, other: 3 };
/** Made when the first number is said: a start needs none. @type {Map<Language, Intl.PluralRules>} */
const rules = new Map();

/** @type {import("../vendor/signals.js").Signal<{language: Language, words: Words} | null>} */
const loaded = signal(null);
/** @type {Language | null} */
let latest = null;

/** The words of the language. Reading them in a component draws it again when the language changes. */
export const words = computed(() => present().words);

/** The language of `words`. */
export const wordsLanguage = computed(() => present().language);

/**
 * Loads the words of a language and shows them. They are to be loaded before the first screen is drawn.
 * @param {Language} language
 */
export async function loadWords(language) {
  latest = language;
  const { first } = language === "pl" ? await import("./pl.js") : await import("./en.js");
  if (latest === language) loaded.value = { language, words: picked(first, language) };
}

function present() {
  if (!loaded.value) throw new Error("The words are not loaded yet");
  return loaded.value;
}

/**
 * Words of screens that come later, in the language of `words`.
 * @template {import("../../../../../types/words.d.ts").Pairs} const T
 * @param {T} texts
 */
export const pairs = (texts) => computed(() => picked(texts, wordsLanguage.value));

/**
 * The texts in one language.
 * @template {import("../../../../../types/words.d.ts").Pairs} const T
 * @param {T} texts @param {Language} language
 * @returns {import("../../../../../types/words.d.ts").Picked<T>}
 */
export function picked(texts, language) {
  const members = Object.entries(texts).map(([name, text]) => [
    name,
    Array.isArray(text) ? inLanguage(text, language) : picked(/** @type {any} */ (text), language),
  ]);
  return Object.fromEntries(members);
}

/** What the server sent in one language is alone. @param {any[]} pair @param {Language} language */
function inLanguage(pair, language) {
  const text = pair[language === "pl" ? 1 : 0] ?? pair[0];
  if (typeof text !== "string" || !text.includes("{")) return text;
  const names = [...new Set([...pair[0].matchAll(PLACE)].map(([, name]) => name))];
  return (/** @type {(string | number)[]} */ ...values) =>
    text.replace(PLACE, (_, name, forms) => {
      const value = values[names.indexOf(name)] ?? "";
      return forms === undefined ? String(value) : formOf(language, Number(value), forms.split("|"));
    });
}

/** The form for the number. @param {Language} language @param {number} count @param {string[]} forms */
export function formOf(language, count, forms) {
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  const exact = forms.find((form) => form.startsWith(`=${count} `));
  const others = forms.filter((form) => !form.startsWith("="));
  const form = exact?.slice(exact.indexOf(" ") + 1) ?? others[FORMS[rule.select(count)]] ??
    others.at(-1) ?? "";
  return form.replace("#", String(count));
}

/** A unit after a number: 1 pair, 2 pairs. @param {number} count @param {string} unit */
export function unitOf(count, unit) {
  const { counted } = words.value.common.units[/** @type {"piece"} */ (unit)];
  return formOf(wordsLanguage.value, count, counted.split("|"));
}
