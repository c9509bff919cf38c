// Words of an estimate and its receipt. They come with the first of these screens, so that the start does not wait for them.

import { computed } from "../vendor/signals.js";
import { builder as en } from "./en/builder.js";
import { wordsLanguage } from "./index.js";
import { builder as pl } from "./pl/builder.js";

/** The words, in the language of `words`. */
export const builderWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
