// Preferences of this browser, kept in its local storage.

import { effect, signal } from "../vendor/signals-core.js";
import { PREFERENCE, store, stored } from "../local/settings.js";
import { replica } from "./outbox.js";

/** @typedef {"en" | "pl"} Language */
/** @typedef {"system" | "light" | "dark" | "outdoor"} Theme */
/** @typedef {{locale?: Language, tone?: "friendly" | "formal", preliminary?: boolean, channel?: string, way?: "link" | "pdf" | "both", toggles?: Record<string, boolean>}} SendChoices */

export const language = preference("language", browserLanguage());
export const theme = preference("theme", /** @type {Theme} */ ("system"));
/** The id of the grid that was used last. */
export const lastGrid = preference("lastGrid", "");
/** The id of the workshop that was chosen last. */
export const lastWorkshop = preference("lastWorkshop", "");
/** The ids of workshops that do without the choice of a craft. */
export const firstRunLeft = preference("firstRunLeft", /** @type {string[]} */ ([]));
/** Notes that were read and closed. */
export const notesRead = preference("notesRead", /** @type {string[]} */ ([]));
export const sendChoices = preference("sendChoices", /** @type {SendChoices} */ ({}));
/** The craft whose usual things an intake offers; "" is not chosen. */
export const intakeCraft = preference("intakeCraft", "");
/** What slips are printed on. */
export const slipFormat = preference("slipFormat", "a5");
/** Whether labels have the place, too. */
export const labelPlace = preference("labelPlace", false);
export const haptics = preference("haptics", true);
/** Whether single keys do something, such as n for a new order. */
export const shortcuts = preference("shortcuts", true);

effect(() => {
  lastGrid.value = replica.presentId(lastGrid.value);
});

/** Shows the theme: the style sheet reads it from the root element, the browser's own bar from a colour for each scheme. */
export function applyTheme() {
  const shown = theme.value;
  document.documentElement.dataset.theme = shown;
  for (const [at, scheme] of ["light", "dark"].entries()) {
    const colour = document.querySelectorAll(/** @type {"meta"} */ ("meta[name=theme-color]"))[at];
    const isShown = (shown === "dark") === (scheme === "dark");
    if (colour) {
      colour.media = shown === "system" ? `(prefers-color-scheme: ${scheme})` : isShown ? "all" : "not all";
    }
  }
}

/** @returns {Language} */
function browserLanguage() {
  const isPolish = typeof navigator !== "undefined" && navigator.language?.startsWith("pl");
  return isPolish ? "pl" : "en";
}

/** @template T @param {string} name @param {T} usual @returns {import("../vendor/signals-core.js").Signal<T>} */
function preference(name, usual) {
  const kept = signal(stored(PREFERENCE + name, usual));
  effect(() => store(PREFERENCE + name, kept.value));
  return kept;
}
