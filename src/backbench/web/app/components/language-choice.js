// Language choice: one of the languages, named in the language of the app.

import { words } from "../words/words.js";
import { choice } from "./choice.js";

/** @typedef {"en" | "pl"} Language */

export const LANGUAGES = /** @type {const} */ (["en", "pl"]);

/** @param {Omit<import("./choice.js").Choice<Language>, "options">} props */
export function languageChoice(props) {
  const { languages } = words.value.common;
  return choice({ ...props, options: LANGUAGES.map((value) => ({ value, label: languages[value] })) });
}
