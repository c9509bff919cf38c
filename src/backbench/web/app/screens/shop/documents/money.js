// Money: currency, tax and validity of estimates.

import { LANGUAGES, selectField, toggle } from "../../../components/choice.js";
import { kindOf, pricesQuestion } from "../../../components/prices.js";
import { problemAt, recordConflict } from "../../../components/record-fields.js";
import { component, div } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { USUAL_CURRENCIES } from "../../../domain/currencies.js";
import { localeOf } from "../../../domain/format.js";
import { BOUNDS, shown, typed } from "../../../domain/numbers.js";
import { exampleTile, isTaxed, setTilePrices } from "../../../state/prices.js";
import { tilePrices } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { priceWords } from "../../../words/estimates.js";
import { fieldExplained } from "../../../words/problems.js";
import { shopWords } from "../../../words/shop.js";
import { words, wordsLanguage } from "../../../words/words.js";

/** @typedef {import("../documents.js").SettingsRecord} SettingsRecord */

const OTHER = "other";
const USUAL_TAX = /** @type {Record<string, number>} */ ({ PLN: 23, GBP: 20, EUR: 20 });
const MOST_DAYS = "3650";

/** @param {{ record: SettingsRecord }} props */
export function MoneyFields({ record }) {
  const text = shopWords.value.documents;
  const { taxPercent, currency = "EUR", validDays = 30 } = record.value.value ?? {};
  const setTax = (/** @type {boolean} */ on) =>
    record.save({ taxPercent: on ? USUAL_TAX[currency] ?? 20 : undefined });
  return [
    component(CurrencyField, { record }),
    toggle({ label: text.tax, help: text.taxHelp, value: taxPercent !== undefined, onChange: setTax }),
    taxPercent !== undefined &&
    numberField(record, "taxPercent", taxPercent, BOUNDS.taxPercent, text.taxPercent),
    recordConflict({ record, name: "taxPercent" }),
    ...pricesEntered(record),
    taxPercent !== undefined &&
    bilingual({ record, name: "taxLabel", label: text.taxLabel, help: text.taxLabelHelp, maxLength: 250 }),
    numberField(
      record,
      "validDays",
      validDays,
      { least: "0", most: MOST_DAYS },
      text.validDays,
      text.validDaysHelp,
    ),
    recordConflict({ record, name: "validDays" }),
  ];
}

/** Where there is a tax: without one, prices are of one kind. @param {SettingsRecord} record */
function pricesEntered(record) {
  const question = {
    value: tilePrices.value,
    example: exampleTile,
    about: priceWords.value.estimates,
    onChange: setTilePrices,
  };
  return [
    isTaxed.value && pricesQuestion(question),
    recordConflict({ record, name: "pricesEntered", show: (value) => kindOf(value ?? "net") }),
  ];
}

/** @param {{ record: SettingsRecord }} props */
function CurrencyField({ record }) {
  const currency = record.value.value?.currency ?? "EUR";
  const [isOther, setIsOther] = useState(false);
  const text = shopWords.value.documents;
  const listed = [...new Set([currency, ...USUAL_CURRENCIES])].filter((code) => /^[A-Z]{3}$/.test(code));
  const set = (/** @type {string} */ code) => record.save({ currency: /** @type {any} */ (code) });
  const pick = (/** @type {string} */ code) => {
    setIsOther(code === OTHER);
    if (code !== OTHER) set(code);
  };
  const problem = problemAt(record, "currency");
  const isTyped = isOther || Boolean(problem);
  return div(
    { class: "stack" },
    selectField({
      label: text.currency,
      value: isTyped ? OTHER : currency,
      options: [...listed.map(option), { value: OTHER, label: text.otherCurrency }],
      onChange: pick,
    }),
    isTyped && textField({
      label: text.currencyCode,
      value: isOther && !problem ? "" : currency,
      maxLength: 3,
      onCommit: (code) => set(code.toUpperCase()),
      ...(problem ? { problem } : {}),
    }),
    recordConflict({ record, name: "currency" }),
  );
}

/** @param {string} code */
function option(code) {
  const names = new Intl.DisplayNames(localeOf(wordsLanguage.value), { type: "currency" });
  return { value: code, label: `${code} · ${names.of(code)}` };
}

/** @param {SettingsRecord} record @param {"taxPercent" | "validDays"} name @param {number} value
 * @param {{ least: string, most: string }} bounds @param {string} label @param {string} [help] */
const numberField = (record, name, value, bounds, label, help) =>
  component(NumberField, { record, name, value, bounds, label, help });

/** A number that cannot be read is not sent; the field says why. @param {{ record: SettingsRecord, name: "taxPercent" | "validDays",
 *   value: number, bounds: { least: string, most: string }, label: string, help: string | undefined }} props */
function NumberField({ record, name, value, bounds, label, help }) {
  const [code, setCode] = useState(/** @type {string | null} */ (null));
  const commit = (/** @type {string} */ text) => {
    const found = typed(text, bounds, wordsLanguage.value);
    const isWhole = name === "taxPercent" || /^\d+$/.test(found.value ?? "");
    setCode(found.problem ?? (isWhole ? null : "malformed"));
    if (found.value !== null && isWhole) record.save({ [name]: Number(found.value) });
  };
  const problem = code ? fieldExplained({ pointer: "", code }, words.value.common) : problemAt(record, name);
  return textField({
    label,
    value: shown(String(value), wordsLanguage.value),
    inputMode: name === "taxPercent" ? "decimal" : "numeric",
    onCommit: commit,
    ...(help ? { help } : {}),
    ...(problem ? { problem } : {}),
  });
}

// Bilingual text: one text for documents in both languages, or one for each.

/**
 * @typedef {{ record: SettingsRecord, name: "tagline" | "terms" | "taxLabel", label: string, help?: string, maxLength: number,
 *   multiline?: boolean }} Bilingual
 */

/** @param {Bilingual} props */
export const bilingual = (props) => component(BilingualField, props);

/** @param {Bilingual} props */
function BilingualField({ record, name, ...field }) {
  const value = record.value.value?.[name];
  const isBoth = typeof value === "object";
  const set = (/** @type {any} */ changed) => record.save({ [name]: changed });
  const show = (/** @type {any} */ shown) => typeof shown === "string" ? shown : `${shown.en} / ${shown.pl}`;
  return div(
    { class: "stack" },
    isBoth
      ? LANGUAGES.map((language) =>
        textField({
          ...inLanguage(record, name, language, field),
          onCommit: (text) => set({ ...value, [language]: text }),
        })
      )
      : textField({ ...inBoth(record, name, field), onCommit: (text) => set(text || undefined) }),
    toggle({
      label: shopWords.value.documents.bothLanguages,
      value: isBoth,
      onChange: (both) => set(both ? { en: value ?? "", pl: value ?? "" } : single(value)),
    }),
    recordConflict({ record, name, show }),
  );
}

/** @param {SettingsRecord} record @param {Bilingual["name"]} name @param {Omit<Bilingual, "record" | "name">} field */
function inBoth(record, name, field) {
  const problem = problemAt(record, name);
  const value = /** @type {string | undefined} */ (record.value.value?.[name]) ?? "";
  return { ...field, value, ...(problem ? { problem } : {}) };
}

/** The text that stays when there is one for both. @param {any} value */
function single(value) {
  const { language } = words.value.common;
  const own = language === "Polski" ? value.pl || value.en : value.en || value.pl;
  return own || undefined;
}

/** @param {SettingsRecord} record @param {Bilingual["name"]} name @param {"en" | "pl"} language @param {Omit<Bilingual, "record" | "name">} field */
function inLanguage(record, name, language, field) {
  const value = /** @type {any} */ (record.value.value?.[name]);
  const problem = problemAt(record, name, `/${name}/${language}`);
  return {
    ...field,
    label: shopWords.value.documents.inLanguage(field.label, words.value.common.languages[language]),
    value: value?.[language] ?? "",
    ...(problem ? { problem } : {}),
  };
}
