// Choices: language, tone and what the PDF shows, as they were the last time.

import { language, sendChoices } from "../../state/preferences.js";
import { offers } from "../../local/system.js";
import { entitlements } from "../../state/workshops.js";
import { computed, signal } from "../../vendor/signals.js";

/** What the client sees if nothing was chosen: a discount is to be seen. */
const USUAL = {
  breakdown: true,
  showMarkup: false,
  showDiscount: true,
  showRecipient: true,
  showBrandMark: true,
};
/** @typedef {keyof typeof USUAL} Toggle */
export const TOGGLES = /** @type {Toggle[]} */ (Object.keys(USUAL));

/** Whether PDFs may be without the mark. Where there are no plans this is known before the server has said it. */
export const isMarkOptional = computed(() => entitlements.value?.brandMark.canDisable ?? !offers("plans"));

/** What the PDF shows. */
const toggles = computed(() => {
  // Where it may go, the mark is there for who asks for it.
  const all = { ...USUAL, showBrandMark: !isMarkOptional.value, ...sendChoices.value.toggles };
  return isMarkOptional.value ? all : { ...all, showBrandMark: true };
});

/** How the client gets it. @typedef {"link" | "pdf" | "both"} Way */

/** The language of the client's record, until another is chosen for this estimate; undefined where none is known. @type {import("../../vendor/signals.js").Signal<import("../../state/preferences.js").SendChoices["locale"]>} */
export const clientLanguage = signal(undefined);

/** All that decides about what leaves. */
export const chosen = computed(() => ({
  way: /** @type {Way} */ (sendChoices.value.way ?? "link"),
  locale: clientLanguage.value ?? sendChoices.value.locale ?? language.value,
  tone: sendChoices.value.tone ?? /** @type {const} */ ("friendly"),
  preliminary: sendChoices.value.preliminary ?? false,
  toggles: toggles.value,
}));

/** @param {import("../../state/preferences.js").SendChoices} fields */
export function choose(fields) {
  sendChoices.value = { ...sendChoices.value, ...fields };
}

/** What is chosen instead of a client's own language is not remembered for others. @param {"en" | "pl"} locale */
export function chooseLanguage(locale) {
  if (clientLanguage.peek()) clientLanguage.value = locale;
  else choose({ locale });
}

/** @param {Toggle} name @param {boolean} value */
export function chooseToggle(name, value) {
  choose({ toggles: { ...sendChoices.value.toggles, [name]: value } });
}
