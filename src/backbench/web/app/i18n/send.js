// Words of sending an estimate. They come with the first of these screens, so that the start does not wait for them.

import { computed } from "../vendor/signals.js";
import { send as en } from "./en/send.js";
import { wordsLanguage } from "./index.js";
import { send as pl } from "./pl/send.js";

/** The words, in the language of `words`. */
export const sendWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
