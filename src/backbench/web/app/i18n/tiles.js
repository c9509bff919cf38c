// Words of tiles. They come with the first of these screens, so that the start does not wait for them.

import { computed } from "../vendor/signals.js";
import { tiles as en } from "./en/tiles.js";
import { wordsLanguage } from "./index.js";
import { tiles as pl } from "./pl/tiles.js";

/** The words, in the language of `words`. */
export const tileWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
