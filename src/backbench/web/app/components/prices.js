// Prices with or without tax: what they are called, and the question what they are.

import { amount, amount as formatted } from "../domain/format.js";
import { facts } from "../state/estimates.js";
import { isTaxed, isTaxedEstimate } from "../state/prices.js";
import { pricesOf } from "../state/totals.js";
import { currency, currency as workshopCurrency, documentSettings, tilePrices } from "../state/workshops.js";
import { useState } from "../vendor/hooks.js";
import { priceWords } from "../words/estimates.js";
import { words, wordsLanguage } from "../words/words.js";
import { actionButton, useAnnounced } from "./action-button.js";
import { choice } from "./controls.js";
import { component, div, p, span } from "./tags.js";

/** @typedef {import("../state/prices.js").Prices} Prices */
/** @typedef {import("../state/prices.js").Numbers} Numbers */
/** A price that there is already, as it stands and as it would be converted. @typedef {{ label: string, unitPrice: number, converted: number }} Example */

/** What the tax is called, in the workshop or on an estimate. @param {string} [id] */
export function taxName(id) {
  const label = (id && facts(id).value?.taxLabel) || documentSettings.value?.taxLabel;
  const name = typeof label === "string" ? label : label?.[wordsLanguage.value];
  return name || words.value.common.money.tax;
}

/** "with VAT" or "without VAT". @param {Prices} prices @param {string} [id] */
export function kindOf(prices, id) {
  const { withTax, withoutTax } = priceWords.value;
  return (prices === "gross" ? withTax : withoutTax)(taxName(id));
}

/** What the unit prices of an estimate are; nothing where there is no tax. @param {string} id */
export function kindOnEstimate(id) {
  return isTaxedEstimate(id) ? kindOf(pricesOf(id), id) : "";
}

/** The same of the workshop's prices, those of its tiles. @param {string} label */
export function ofWorkshop(label) {
  return isTaxed.value ? `${label} ${kindOf(tilePrices.value)}` : label;
}

/**
 * Asks what prices are. Where there are some already, it asks what becomes of them, before anything changes.
 * @typedef {{ value: Prices, onChange: (to: Prices, numbers: Numbers) => void, id?: string, about?: string,
 *   example?: (to: Prices) => Example | undefined }} PricesQuestion `about` is said below the question of what becomes of them
 */

/** @param {PricesQuestion} props */
export const pricesQuestion = (props) => component(Question, props);

/** @param {PricesQuestion} props */
function Question({ value, onChange, id = "", about, example = () => undefined }) {
  const [asked, setAsked] = useState(/** @type {Prices | null} */ (null));
  const text = priceWords.value;
  const shown = asked ?? value;
  const found = asked ? example(asked) : undefined;
  const pick = (/** @type {Prices} */ to) => {
    if (to === value) setAsked(null);
    else if (example(to)) setAsked(to);
    else onChange(to, "keep");
  };
  const answer = (/** @type {Numbers} */ numbers) => {
    setAsked(null);
    if (asked) onChange(asked, numbers);
  };
  return div(
    { class: "stack" },
    choice({
      label: text.question(taxName(id)),
      value: shown,
      options: (/** @type {const} */ (["gross", "net"])).map((kind) => ({
        value: kind,
        label: kindOf(kind, id),
      })),
      onChange: pick,
    }),
    p({ class: "field-help" }, text.means[shown](taxName(id))),
    asked && found && component(WhatBecomes, { asked, found, id, about, answer }),
  );
}

/** @param {{ asked: Prices, found: Example, id: string, about: string | undefined, answer: (numbers: Numbers) => void }} props */
function WhatBecomes({ asked, found, id, about, answer }) {
  const text = priceWords.value;
  const price = (/** @type {number} */ value) => amount(value, currency.value, wordsLanguage.value);
  const question = (id ? text.lines : text.tiles)(found.label, price(found.unitPrice));
  useAnnounced(question);
  const row = (/** @type {Numbers} */ numbers, /** @type {number} */ value) =>
    div(
      { class: "row" },
      actionButton({ label: text[numbers], onClick: () => answer(numbers) }),
      p({ class: "quiet-text figures" }, text.becomes(price(value), kindOf(asked, id))),
    );
  return div(
    { class: "notice warning", role: "group", "aria-label": question },
    p({}, question),
    row("keep", found.unitPrice),
    row("convert", found.converted),
    about && p({ class: "quiet-text" }, about),
  );
}

/** @param {{ amount: string | number, currency?: string }} props */
export function money({ amount, currency = workshopCurrency.value }) {
  return span({ class: "figures" }, formatted(amount, currency, wordsLanguage.value));
}
