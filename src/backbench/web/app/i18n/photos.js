// Words of photos. They come with the screens that show some.

import { computed } from "../vendor/signals.js";
import { photos as en } from "./en/photos.js";
import { wordsLanguage } from "./index.js";
import { photos as pl } from "./pl/photos.js";

/** The words, in the language of `words`. */
export const photoWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
