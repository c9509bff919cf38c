// Words that offer an email or say that one is sent: for screens of servers that have a mail server (`local/offers.js`).

import { computed } from "../vendor/signals.js";
import { mail as en } from "./en/mail.js";
import { wordsLanguage } from "./index.js";
import { mail as pl } from "./pl/mail.js";

/** The words, in the language of `words`. */
export const mailWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
