// Words of the list of estimates. They come with the first of these screens, so that the start does not wait for them.

import { computed } from "../vendor/signals.js";
import { estimates as en } from "./en/estimates.js";
import { wordsLanguage } from "./index.js";
import { estimates as pl } from "./pl/estimates.js";

/** The words, in the language of `words`. */
export const estimateWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
