// Words: those of the language that is chosen, in one file, loaded before the first screen is drawn.

import { computed, signal } from "../vendor/signals.js";

/** @typedef {import("./plurals.js").Language} Language */
/** The words by area. @typedef {typeof import("./en/index.js").en} Words */

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
  const found = language === "pl" ? (await import("./pl/index.js")).pl : (await import("./en/index.js")).en;
  if (latest === language) loaded.value = { language, words: found };
}

function present() {
  if (!loaded.value) throw new Error("The words are not loaded yet");
  return loaded.value;
}
