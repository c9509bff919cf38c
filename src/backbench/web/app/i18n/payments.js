// Words of payments and numbers. They come with the first of these screens, so that the start does not wait for them.

import { computed } from "../vendor/signals.js";
import { payments as en } from "./en/payments.js";
import { wordsLanguage } from "./index.js";
import { payments as pl } from "./pl/payments.js";

/** The words, in the language of `words`. */
export const paymentWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
