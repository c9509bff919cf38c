// Appearance: look and language of the app on this device.

import { choice } from "../../../components/choice.js";
import { languageChoice } from "../../../components/language-choice.js";
import { div, h2, p, section } from "../../../components/tags.js";
import { toggle } from "../../../components/toggle.js";
import { shopWords } from "../../../words/shop.js";
import { haptics, language, shortcuts, theme } from "../../../state/preferences.js";
import { session, updateProfile } from "../../../state/session.js";

/** @typedef {import("../../../state/preferences.js").Theme} Theme */
/** @typedef {import("../../../state/preferences.js").Language} Language */

const THEMES = /** @type {const} */ (["system", "light", "dark", "outdoor"]);

export function Appearance() {
  const text = shopWords.value.overview;
  return section(
    { class: "stack" },
    h2({}, text.groups.appearance),
    div(
      { class: "panel" },
      choice({
        label: text.theme,
        value: theme.value,
        options: THEMES.map((value) => ({ value, label: text.themes[value] })),
        onChange: (value) => (theme.value = value),
      }),
      p({ class: "quiet-text" }, text.outdoorHelp),
      languageChoice({ label: text.language, value: language.value, onChange: choose }),
      ...switches(),
    ),
  );
}

function switches() {
  const text = shopWords.value.overview;
  return [
    // Not on every phone.
    "vibrate" in navigator &&
    toggle({ label: text.haptics, value: haptics.value, onChange: (on) => (haptics.value = on) }),
    toggle({
      label: text.shortcuts,
      help: text.shortcutsHelp,
      value: shortcuts.value,
      onChange: (on) => (shortcuts.value = on),
    }),
  ];
}

/** The account follows, so that its emails have the language, too. @param {Language} value */
function choose(value) {
  language.value = value;
  if (session.value.me) updateProfile({ locale: value });
}
