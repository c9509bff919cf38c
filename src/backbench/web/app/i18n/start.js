// Words of the first run, of the sign-up and of a forgotten password: they come with these.

import { computed } from "../vendor/signals.js";
import { start as en } from "./en/start.js";
import { wordsLanguage } from "./index.js";
import { start as pl } from "./pl/start.js";

/** The words, in the language of `words`. */
export const startWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
