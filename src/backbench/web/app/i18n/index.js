// Words: those of the language that is chosen. The first screens' are loaded at the start, the others' with them.

import { computed, signal } from "../vendor/signals.js";

/** @typedef {import("./plurals.js").Language} Language */
/** @typedef {typeof import("./en/index.js").en} Early */
/** @typedef {typeof import("./en/later.js").later} Late */
/** The words by area; errors are among the common ones. @typedef {Early & Late & { common: Early["common"] & Late["problems"] }} Words */

/** @type {import("../vendor/signals.js").Signal<{language: Language, words: Words} | null>} */
const loaded = signal(null);
/** Whether the words of all screens are wanted. */
let isComplete = false;
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
  const found = isComplete ? await all(language) : await first(language);
  if (latest === language) loaded.value = { language, words: /** @type {Words} */ (found) };
}

/** Loads the words of the screens that are not the first: before one of them is drawn. */
export async function loadAllWords() {
  if (isComplete) return;
  const language = present().language;
  const found = await all(language);
  isComplete = true;
  if (latest === language) loaded.value = { language, words: found };
  else if (latest) await loadWords(latest);
}

/** @param {Language} language */
async function first(language) {
  return language === "pl" ? (await import("./pl/index.js")).pl : (await import("./en/index.js")).en;
}

/** @param {Language} language */
async function later(language) {
  return language === "pl" ? (await import("./pl/later.js")).later : (await import("./en/later.js")).later;
}

/** @param {Language} language @returns {Promise<Words>} */
async function all(language) {
  const [early, late] = await Promise.all([first(language), later(language)]);
  return { ...early, ...late, common: { ...early.common, ...late.problems } };
}

function present() {
  if (!loaded.value) throw new Error("The words are not loaded yet");
  return loaded.value;
}
