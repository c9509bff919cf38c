// Words of an order and its intake. They come with the first of these screens, so that the start does not wait for them.

import { computed } from "../vendor/signals.js";
import { orders as en } from "./en/orders.js";
import { wordsLanguage } from "./index.js";
import { orders as pl } from "./pl/orders.js";

/** The words, in the language of `words`. */
export const orderWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
