// Roll: the lines of an estimate as on a till roll, and the sums below them.

import { amount, price, quantity } from "../domain/format.js";
import { wordsLanguage } from "../i18n/index.js";
import { unitOf } from "../i18n/units.js";
import { currency as workshopCurrency } from "../state/workshops.js";
import { button, dd, dl, dt, span } from "./tags.js";

/** @typedef {{ id: string, label: string, unit: string, unitPrice: number, quantity: number }} Line */

/**
 * A line that opens when it is tapped. `tax` is that of the line alone, in words.
 * @param {{ line: Line, sum: string, tax?: string, onTap?: () => void, open?: boolean, isNew?: boolean }} props
 */
export function rollLine({ line, sum, tax = "", onTap, open = false, isNew = false }) {
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
      `${quantity(line.quantity, language)}${unit} × ${
        price(line.unitPrice, workshopCurrency.value, language)
      }${tax && ` · ${tax}`}`,
    ),
    span({ class: "roll-sum figures" }, amount(sum, workshopCurrency.value, language)),
  );
}

/** Sums, one a row; the last one stands below a double rule. @param {{ rows: readonly [string, string][], total: [string, string], currency?: string }} props */
export function sums({ rows, total, currency = workshopCurrency.value }) {
  const shown = (/** @type {string} */ value) => amount(value, currency, wordsLanguage.value);
  return dl(
    { class: "sums" },
    ...rows.flatMap(([label, value]) => [dt({}, label), dd({ class: "figures" }, shown(value))]),
    dt({ class: "total" }, total[0]),
    dd({ class: "total figures" }, shown(total[1])),
  );
}
