// Words of customers. They come with the first of these screens, so that the start does not wait for them.

import { computed } from "../vendor/signals.js";
import { customers as en } from "./en/customers.js";
import { wordsLanguage } from "./index.js";
import { customers as pl } from "./pl/customers.js";

/** The words, in the language of `words`. */
export const customerWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
