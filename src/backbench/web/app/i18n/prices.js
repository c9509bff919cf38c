// Words of prices with and without tax. They come with the first screen that has prices.

import { computed } from "../vendor/signals.js";
import { prices as en } from "./en/prices.js";
import { wordsLanguage } from "./index.js";
import { prices as pl } from "./pl/prices.js";

/** The words, in the language of `words`. */
export const priceWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
