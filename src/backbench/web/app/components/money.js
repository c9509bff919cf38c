// Money: an amount in tabular figures, in the language of the app.

import { amount as formatted } from "../domain/format.js";
import { wordsLanguage } from "../words/words.js";
import { currency as workshopCurrency } from "../state/workshops.js";
import { span } from "./tags.js";

/** @param {{ amount: string | number, currency?: string }} props */
export function money({ amount, currency = workshopCurrency.value }) {
  return span({ class: "figures" }, formatted(amount, currency, wordsLanguage.value));
}
