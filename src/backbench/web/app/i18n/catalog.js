// Words of the catalog. They come with its screens.

import { computed } from "../vendor/signals.js";
import { catalog as en } from "./en/catalog.js";
import { wordsLanguage } from "./index.js";
import { catalog as pl } from "./pl/catalog.js";

/** The words, in the language of `words`. */
export const catalogWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
