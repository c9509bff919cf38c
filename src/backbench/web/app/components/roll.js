// Roll: the lines of an estimate as on a till roll, and the sums below them.

import { amount, price as priceText, quantity } from "../domain/format.js";
import { unitOf, wordsLanguage } from "../words/words.js";
import { currency as workshopCurrency } from "../state/workshops.js";
import { button, dd, dl, dt, span } from "./tags.js";

/** @typedef {{ id: string, label: string, unit: string, unitPrice: number, quantity: number }} Line */

/**
 * A line that opens when it is tapped. `tax` is that of the line alone, in words; `price` the unit price as it is shown.
 * @param {{ line: Line, price: string, sum: string, tax?: string, onTap?: () => void, open?: boolean, isNew?: boolean }} props
 */
export function rollLine({ line, price, sum, tax = "", onTap, open = false, isNew = false }) {
  const language = wordsLanguage.value;
  const unit = line.unit === "freeform" ? "" : ` ${unitOf(line.quantity, line.unit)}`;
  return button(
    {
      class: ["roll-line", open && "open", isNew && "printed"].filter(Boolean).join(" "),
      type: "button",
      "aria-expanded": open,
      onClick: onTap,
    },
    span({ class: "roll-label" }, line.label),
    span(
      { class: "roll-quantity figures" },
      `${quantity(line.quantity, language)}${unit} × ${priceText(price, workshopCurrency.value, language)}${
        tax && ` · ${tax}`
      }`,
    ),
    span({ class: "roll-sum figures" }, amount(sum, workshopCurrency.value, language)),
  );
}

/**
 * Sums, one a row; the total stands below a double rule, and what is part of it below the total.
 * @param {{ rows: readonly [string, string][], total: [string, string], within?: readonly (readonly [string, string])[], currency?: string }} props
 */
export function sums({ rows, total, within = [], currency = workshopCurrency.value }) {
  const shown = (/** @type {string} */ value) => amount(value, currency, wordsLanguage.value);
  const row = (/** @type {readonly [string, string]} */ [label, value]) => [
    dt({}, label),
    dd({ class: "figures" }, shown(value)),
  ];
  return dl(
    { class: "sums" },
    ...rows.flatMap(row),
    dt({ class: "total" }, total[0]),
    dd({ class: "total figures" }, shown(total[1])),
    ...within.flatMap(row),
  );
}
