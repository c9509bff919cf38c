// Choices: language, tone and what the PDF shows, as they were the last time.

import { language, sendChoices } from "../../state/preferences.js";
import { entitlements } from "../../state/workshops.js";
import { computed } from "../../vendor/signals.js";

/** What the PDF shows if nothing was chosen, as the server has it. */
const USUAL = {
  breakdown: true,
  showMarkup: false,
  showDiscount: true,
  showRecipient: true,
  showBrandMark: true,
};
/** @typedef {keyof typeof USUAL} Toggle */
export const TOGGLES = /** @type {Toggle[]} */ (Object.keys(USUAL));

/** Whether the plan allows PDFs without the mark. */
export const isMarkOptional = computed(() => entitlements.value?.brandMark.canDisable === true);

/** What the PDF shows. */
const toggles = computed(() => {
  const all = { ...USUAL, ...sendChoices.value.toggles };
  return isMarkOptional.value ? all : { ...all, showBrandMark: true };
});

/** How the client gets it. @typedef {"link" | "pdf" | "both"} Way */

/** All that decides about what leaves. */
export const chosen = computed(() => ({
  way: /** @type {Way} */ (sendChoices.value.way ?? "link"),
  locale: sendChoices.value.locale ?? language.value,
  tone: sendChoices.value.tone ?? /** @type {const} */ ("friendly"),
  preliminary: sendChoices.value.preliminary ?? false,
  toggles: toggles.value,
}));

/** @param {import("../../state/preferences.js").SendChoices} fields */
export function choose(fields) {
  sendChoices.value = { ...sendChoices.value, ...fields };
}

/** @param {Toggle} name @param {boolean} value */
export function chooseToggle(name, value) {
  choose({ toggles: { ...sendChoices.value.toggles, [name]: value } });
}
