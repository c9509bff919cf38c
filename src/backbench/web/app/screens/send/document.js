// Document: what stands on every PDF, asked before the first one leaves.

import { actionButton } from "../../components/action-button.js";
import { selectField } from "../../components/select-field.js";
import { component, div, h2, p, section } from "../../components/tags.js";
import { problemAt, recordConflict, recordText } from "../../components/record-fields.js";
import { textField } from "../../components/text-field.js";
import { USUAL_CURRENCIES } from "../../domain/currencies.js";
import { BOUNDS, shown, typed } from "../../domain/numbers.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { editedSettings, editedWorkshop } from "../../state/edited.js";
import { summaries } from "../../state/summaries.js";
import { documentSettings } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";

/** @typedef {import("../../state/workshops.js").DocumentSettings} DocumentSettings */
/** @typedef {import("../../state/edited.js").Edited<DocumentSettings>} SettingsRecord */

/** Nothing was said about the workshop's documents, and none has left yet. */
function isFirst() {
  const settings = documentSettings.value;
  if (!settings || summaries.value.some(({ lastHandoff }) => lastHandoff)) return false;
  const { taxPercent, address, phone, taxId } = settings;
  return taxPercent === undefined && !address && !phone && !taxId;
}

export const document = () => component(Document, {});

function Document() {
  // Stays until the screen is left, however much of it is filled in.
  const [isAsked, setAsked] = useState(false);
  if (!isAsked && isFirst()) setAsked(true);
  const settings = documentSettings.value;
  const text = words.value.send;
  if (!isAsked || !settings) return null;
  return section(
    { class: "panel" },
    h2({}, text.onDocument),
    p({ class: "quiet-text" }, text.onDocumentHelp),
    component(Fields, {}),
    actionButton({ label: text.moreOnDocument, kind: "quiet", href: "/shop/documents" }),
  );
}

/** Saved as they are edited. */
function Fields() {
  const text = words.value.send;
  const sign = editedWorkshop();
  const record = editedSettings();
  return div(
    { class: "stack" },
    recordText({
      record: sign,
      name: "name",
      label: text.workshopName,
      maxLength: 250,
      check: (name) => name.trim() ? undefined : words.value.common.fields.missing,
    }),
    div({ class: "document-money" }, currencyField(record), component(TaxField, { record })),
    recordConflict({ record, name: "currency" }),
    recordConflict({ record, name: "taxPercent" }),
    recordText({ record, name: "phone", label: text.workshopPhone, type: "tel", maxLength: 250 }),
  );
}

/** @param {{ record: SettingsRecord }} props */
function TaxField({ record }) {
  const { send: text, common } = words.value;
  const [wrong, setWrong] = useState("");
  const { taxPercent } = record.value.value ?? {};
  const commit = (/** @type {string} */ text) => {
    const { value, problem } = typed(text, BOUNDS.taxPercent, wordsLanguage.value);
    const isNone = problem === "missing";
    setWrong(problem && !isNone ? common.fields[problem] : "");
    if (!problem || isNone) record.save({ taxPercent: value === null ? undefined : Number(value) });
  };
  const problem = wrong || problemAt(record, "taxPercent");
  return textField({
    label: text.tax,
    value: taxPercent === undefined ? "" : shown(taxPercent, wordsLanguage.value),
    inputMode: "decimal",
    placeholder: text.noTax,
    onCommit: commit,
    ...(problem ? { problem } : {}),
  });
}

/** @param {SettingsRecord} record */
function currencyField(record) {
  const names = new Intl.DisplayNames(wordsLanguage.value, { type: "currency" });
  const currency = record.value.value?.currency ?? "EUR";
  return selectField({
    label: words.value.send.currency,
    value: currency,
    options: [...new Set([currency, ...USUAL_CURRENCIES])].map((value) => ({
      value,
      label: `${value} · ${names.of(value) ?? value}`,
    })),
    onChange: (value) => record.save({ currency: /** @type {DocumentSettings["currency"]} */ (value) }),
  });
}
