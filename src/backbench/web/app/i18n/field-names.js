// Names of fields. They come with the changes that wait, so that the start does not wait for them.

import { computed } from "../vendor/signals.js";
import { fieldNames as en } from "./en/field-names.js";
import { wordsLanguage } from "./index.js";
import { fieldNames as pl } from "./pl/field-names.js";

/** The names, in the language of `words`. @type {import("../vendor/signals.js").ReadonlySignal<Record<string, string>>} */
export const fieldNames = computed(() => wordsLanguage.value === "pl" ? pl : en);
