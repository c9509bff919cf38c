// Bilingual text: one text for documents in both languages, or one for each.

import { LANGUAGES } from "../../../components/language-choice.js";
import { component, div } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { toggle } from "../../../components/toggle.js";
import { words } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { problemAt, recordConflict } from "../../../components/record-fields.js";

/** @typedef {import("../documents.js").SettingsRecord} SettingsRecord */
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
