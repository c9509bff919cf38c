// Words of the workshop's screens. They come with the first of these, so that the start does not wait for them.

import { computed } from "../vendor/signals.js";
import { shop as en } from "./en/shop.js";
import { wordsLanguage } from "./index.js";
import { shop as pl } from "./pl/shop.js";

/** The words, in the language of `words`. */
export const shopWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
