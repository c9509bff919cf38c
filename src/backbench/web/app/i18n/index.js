// Words: those of the language that is chosen, loaded once each.

import { computed, signal } from "../vendor/signals.js";
import { pluralOf } from "./plurals.js";

/** @typedef {import("./plurals.js").Language} Language */
/** @typedef {import("./plurals.js").Forms} Forms */
/** @typedef {typeof import("./en/index.js").en} Words */

export const LANGUAGES = /** @type {const} */ (["en", "pl"]);

/** @type {import("../vendor/signals.js").Signal<{language: Language, words: Words} | null>} */
const loaded = signal(null);
/** @type {Map<Language, Promise<Words>>} */
const loading = new Map();

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
  const found = loading.get(language) ?? imported(language);
  loading.set(language, found);
  try {
    const words = await found;
    if (latest === language) loaded.value = { language, words };
  } catch (error) {
    loading.delete(language);
    throw error;
  }
}

/** @type {Language | null} */
let latest = null;

/**
 * The form of a word for the number, in the language of `words`.
 * @param {number} count
 * @param {Forms} forms
 */
export function plural(count, forms) {
  return pluralOf(wordsLanguage.value, count, forms);
}

/**
 * @param {Language} language
 * @returns {Promise<Words>}
 */
async function imported(language) {
  return language === "pl" ? (await import("./pl/index.js")).pl : (await import("./en/index.js")).en;
}

function present() {
  if (!loaded.value) throw new Error("The words are not loaded yet");
  return loaded.value;
}
