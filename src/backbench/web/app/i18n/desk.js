// Words of the keyboard and of the wall display: they come with these.

import { computed } from "../vendor/signals.js";
import { desk as en } from "./en/desk.js";
import { wordsLanguage } from "./index.js";
import { desk as pl } from "./pl/desk.js";

/** The words, in the language of `words`. */
export const deskWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
