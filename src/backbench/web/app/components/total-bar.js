// Total bar: the sum in large figures, and the one thing to do with it.

import { amount } from "../domain/format.js";
import { words, wordsLanguage } from "../words/words.js";
import { currency as workshopCurrency } from "../state/workshops.js";
import { actionButton } from "./action-button.js";
import { div, output, span } from "./tags.js";

/** @param {{ total: string, currency?: string, action: import("./action-button.js").ActionButton }} props */
export function totalBar({ total, currency = workshopCurrency.value, action }) {
  return div(
    { class: "total-bar" },
    output(
      { class: "total-sum figures" },
      span({ class: "spoken" }, `${words.value.common.money.total} `),
      amount(total, currency, wordsLanguage.value),
    ),
    actionButton({ kind: "main", ...action }),
  );
}
