// First: tax, currency and telephone are asked once, in a sheet before the first confirmation, which freezes them.

import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/choice.js";
import { problemAt, recordConflict, recordText } from "../../components/record-fields.js";
import { selectField } from "../../components/select-field.js";
import { sheet } from "../../components/sheet.js";
import { component, div, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { USUAL_CURRENCIES } from "../../domain/currencies.js";
import { localeOf } from "../../domain/format.js";
import { BOUNDS, shown, typed } from "../../domain/numbers.js";
import { usualRates } from "../../domain/tax-rates.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { sendWords } from "../../i18n/send.js";
import { notesRead } from "../../state/preferences.js";
import { session } from "../../state/session.js";
import { editedSettings } from "../../state/edited.js";
import { documentSettings, workshopId } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { latestNumber } from "./sending.js";

/** @typedef {import("../../state/workshops.js").DocumentSettings} DocumentSettings */
/** @typedef {import("../../state/edited.js").Edited<DocumentSettings>} SettingsRecord */

const OTHER = "other";
const NONE = "none";
const noteOf = () => `first-confirmation:${workshopId.value}`;

/** Whether nothing is known about the workshop's documents, and nothing was asked. @param {import("./sending.js").Sending} sending */
export function asksFirst(sending) {
  const settings = documentSettings.value;
  if (!settings || latestNumber(sending) || !sending.isChanged.value) return false;
  const { taxPercent, address, phone, taxId } = settings;
  return taxPercent === undefined && !address && !phone && !taxId && !notesRead.value.includes(noteOf());
}

/** @param {{ label: string, onDone: () => void, onClose: () => void }} props */
export function FirstSheet({ label, onDone, onClose }) {
  const text = sendWords.value;
  const record = editedSettings();
  const known = documentSettings.value?.email ?? "";
  // Of somebody who gives no contact the client has at least this one; it can be changed or emptied here.
  const [email, setEmail] = useState(known || (session.value.me?.email ?? ""));
  const done = () => {
    if (email.trim() !== known) record.save({ email: email.trim() });
    notesRead.value = [...notesRead.value, noteOf()];
    onDone();
  };
  return sheet(
    {
      title: text.firstTitle,
      onClose,
      foot: actionButton({ kind: "main", wide: true, icon: "check", label, isFinal: true, onClick: done }),
    },
    div(
      { class: "stack" },
      p({ class: "quiet-text" }, text.firstHelp),
      currencyField(record),
      recordConflict({ record, name: "currency" }),
      component(TaxField, { record }),
      recordConflict({ record, name: "taxPercent" }),
      recordText({ record, name: "phone", label: text.workshopPhone, type: "tel", maxLength: 250 }),
      emailField(email, setEmail),
      actionButton({ label: text.moreOnDocument, kind: "quiet", href: "/shop/documents" }),
    ),
  );
}

/** @param {string} value @param {(value: string) => void} onInput */
function emailField(value, onInput) {
  const { recipientEmail: label, workshopEmailHelp: help } = sendWords.value;
  return textField({ label, help, type: "email", value, maxLength: 250, onInput });
}

/** The usual rates of the country, none, or another one. @param {{ record: SettingsRecord }} props */
function TaxField({ record }) {
  const text = sendWords.value;
  const { taxPercent, currency = "EUR", timeZone } = record.value.value ?? {};
  const rates = usualRates(timeZone, currency).map(String);
  const present = taxPercent === undefined ? NONE : String(taxPercent);
  const [isOther, setOther] = useState(false);
  const isTyped = isOther || (present !== NONE && !rates.includes(present));
  const pick = (/** @type {string} */ value) => {
    setOther(value === OTHER);
    if (value !== OTHER) record.save({ taxPercent: value === NONE ? undefined : Number(value) });
  };
  return div(
    { class: "stack" },
    choice({
      label: text.charges,
      value: isTyped ? OTHER : present,
      options: [
        { value: NONE, label: text.noTax },
        ...rates.map((value) => ({ value, label: `${shown(value, wordsLanguage.value)}%` })),
        { value: OTHER, label: text.otherRate },
      ],
      onChange: pick,
    }),
    isTyped && component(OtherRate, { record }),
  );
}

/** @param {{ record: SettingsRecord }} props */
function OtherRate({ record }) {
  const text = sendWords.value;
  const { common } = words.value;
  const [wrong, setWrong] = useState("");
  const { taxPercent } = record.value.value ?? {};
  const commit = (/** @type {string} */ entered) => {
    const { value, problem } = typed(entered, BOUNDS.taxPercent);
    setWrong(problem && problem !== "missing" ? common.fields[problem] : "");
    if (!problem) record.save({ taxPercent: Number(value) });
  };
  const problem = wrong || problemAt(record, "taxPercent");
  return textField({
    label: text.tax,
    value: taxPercent === undefined ? "" : shown(taxPercent, wordsLanguage.value),
    inputMode: "decimal",
    onCommit: commit,
    ...(problem ? { problem } : {}),
  });
}

/** @param {SettingsRecord} record */
function currencyField(record) {
  const names = new Intl.DisplayNames(localeOf(wordsLanguage.value), { type: "currency" });
  const currency = record.value.value?.currency ?? "EUR";
  return selectField({
    label: sendWords.value.currency,
    value: currency,
    options: [...new Set([currency, ...USUAL_CURRENCIES])].map((value) => ({
      value,
      label: `${value} · ${names.of(value) ?? value}`,
    })),
    onChange: (value) => record.save({ currency: /** @type {DocumentSettings["currency"]} */ (value) }),
  });
}
