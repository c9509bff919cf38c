// Words of the revisions of an estimate: they come with its screen.

import { computed } from "../vendor/signals.js";
import { revisions as en } from "./en/revisions.js";
import { wordsLanguage } from "./index.js";
import { revisions as pl } from "./pl/revisions.js";

/** The words, in the language of `words`. */
export const revisionWords = computed(() => wordsLanguage.value === "pl" ? pl : en);
