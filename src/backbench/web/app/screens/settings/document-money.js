// Money: currency, tax, account, and how long prices hold.

import { boundFields, conflict, problemAt } from "../../components/bound-fields.js";
import { fold, LANGUAGES, selectField, toggle } from "../../components/controls.js";
import { frame } from "../../components/frame.js";
import { pricesQuestion } from "../../components/prices.js";
import { component, div, h2, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { USUAL_CURRENCIES } from "../../domain/money.js";
import { localeOf } from "../../domain/format.js";
import { BOUNDS } from "../../domain/numbers.js";
import { editedSettings } from "../../state/edits.js";
import { exampleTile, isTaxed, setTilePrices } from "../../state/prices.js";
import { tilePrices } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { builderWords } from "../../words/builder.js";
import { priceWords } from "../../words/estimates.js";
import { shopWords } from "../../words/shop.js";
import { words, wordsLanguage } from "../../words/words.js";
import { savedMark } from "./kit.js";

/** @typedef {import("./documents.js").SettingsRecord} SettingsRecord */

const OTHER = "other";
const USUAL_TAX = /** @type {Record<string, number>} */ ({ PLN: 23, GBP: 20, EUR: 20 });
const VALID_DAYS = { least: "0", most: "3650" };

export function screen() {
  const record = editedSettings();
  const text = shopWords.value.documents;
  const field = boundFields(record, { ...text, paymentLinkHelp: text.paymentLinkHelp() });
  const isKnown = record.value.value !== null;
  const { money: [title = ""] } = shopWords.value.overview.rows;
  return frame(
    { title, place: "shop", back: "/shop", actions: savedMark({ record }) },
    isKnown && part(text.money, component(MoneyFields, { record })),
    isKnown && part(text.numbers, [
      field.text("taxId", { maxLength: 250, empty: "" }),
      field.text("iban", { maxLength: 250 }),
      fold(text.rare, [
        field.text("registration", { multiline: true, maxLength: 500 }),
        field.text("paymentLink", { inputMode: "url", maxLength: 500 }),
      ]),
    ]),
  );
}

/** @param {string} title @param {any} fields */
export const part = (title, fields) =>
  section({ class: "stack" }, h2({}, title), section({ class: "panel" }, fields));

/** @typedef {import("../builder/document-sheet.js").Option} Option */

/** A field for each; of each the first choice is what applies without one. @param {SettingsRecord} record */
export function optionsOf(record) {
  const text = builderWords.value.paper;
  const field = boundFields(record, text);
  return (/** @type {Option} */ name) =>
    field.select(name, text.choices[name], Object.keys(text.choices[name])[0]);
}

/** @param {{ record: SettingsRecord }} props */
function MoneyFields({ record }) {
  const text = shopWords.value.documents;
  const { taxPercent, currency = "EUR" } = record.value.value ?? {};
  const field = boundFields(record, text);
  const option = optionsOf(record);
  const setTax = (/** @type {boolean} */ on) =>
    record.save({ taxPercent: on ? USUAL_TAX[currency] ?? 20 : undefined });
  // A number that was emptied is not sent.
  const save = (/** @type {"taxPercent" | "validDays"} */ name) => (/** @type {number | null} */ value) =>
    value !== null && record.save({ [name]: value });
  return [
    component(CurrencyField, { record }),
    toggle({ label: text.tax, help: text.taxHelp, value: taxPercent !== undefined, onChange: setTax }),
    taxPercent !== undefined &&
    field.number("taxPercent", BOUNDS.taxPercent, { onValue: save("taxPercent") }),
    ...pricesEntered(record),
    field.number("validDays", VALID_DAYS, {
      whole: true,
      value: record.value.value?.validDays ?? 30,
      onValue: save("validDays"),
    }),
    fold(text.rare, [
      taxPercent !== undefined &&
      bilingual({ record, name: "taxLabel", label: text.taxLabel, help: text.taxLabelHelp, maxLength: 250 }),
      // Prices that are entered with tax are shown with it.
      tilePrices.value === "net" && option("pricesShown"),
      option("taxKind"),
      option("depositKind"),
    ]),
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
    conflict(record, "pricesEntered"),
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
    conflict(record, "currency"),
  );
}

/** @param {string} code */
function option(code) {
  const names = new Intl.DisplayNames(localeOf(wordsLanguage.value), { type: "currency" });
  return { value: code, label: `${code} · ${names.of(code)}` };
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
    conflict(record, name),
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
