// Paper: what stands on every PDF, asked before the first one leaves.

import { isProblem } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { selectField } from "../../components/select-field.js";
import { component, div, h2, p, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { USUAL_CURRENCIES } from "../../domain/currencies.js";
import { BOUNDS, shown, typed } from "../../domain/numbers.js";
import { explained, fieldExplained } from "../../i18n/problems.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { summaries } from "../../state/summaries.js";
import {
  documentSettings,
  replaceDocumentSettings,
  updateWorkshop,
  workshop,
} from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").DocumentSettings} DocumentSettings */

/** The change that was asked for last. @type {Promise<unknown>} */
let latest = Promise.resolve();

/** Nothing was said about the workshop's documents, and none has left yet. */
function isFirst() {
  const settings = documentSettings.value;
  if (!settings || summaries.value.some(({ lastHandoff }) => lastHandoff)) return false;
  const { taxPercent, address, phone, taxId } = settings;
  return taxPercent === undefined && !address && !phone && !taxId;
}

export const paper = () => component(Paper, {});

function Paper() {
  // Stays until the screen is left, however much of it is filled in.
  const [isAsked, setAsked] = useState(false);
  if (!isAsked && isFirst()) setAsked(true);
  const settings = documentSettings.value;
  const text = words.value.send;
  if (!isAsked || !settings) return null;
  return section(
    { class: "paper" },
    h2({}, text.onPaper),
    p({ class: "quiet-text" }, text.onPaperHelp),
    isOnline() ? component(Fields, { settings }) : needsConnection(),
    actionButton({ label: text.moreOnPaper, kind: "quiet", href: "/shop/documents" }),
  );
}

/** @param {{ settings: DocumentSettings }} props */
function Fields({ settings }) {
  const text = words.value.send;
  const { problems, save, put } = useSaved(settings);
  return div(
    { class: "stack" },
    textField({
      label: text.workshopName,
      value: workshop.value?.name ?? "",
      maxLength: 250,
      onCommit: (name) => name.trim() && save("name", () => updateWorkshop({ name: name.trim() })),
      ...problem(problems["name"]),
    }),
    div(
      { class: "paper-money" },
      currencyField(settings, (currency) => put("currency", { currency })),
      taxField(settings, (taxPercent) => put("tax", { taxPercent }), problems["tax"]),
    ),
    textField({
      label: text.workshopPhone,
      type: "tel",
      value: settings.phone ?? "",
      maxLength: 250,
      onCommit: (phone) => put("phone", { phone: phone.trim() }),
      ...problem(problems["phone"]),
    }),
  );
}

/** @typedef {{ [Name in keyof DocumentSettings]?: DocumentSettings[Name] | undefined }} Changed */

/** Saves one field after the other, with what is wrong at each. @param {DocumentSettings} settings */
function useSaved(settings) {
  const { common } = words.value;
  const [problems, setProblems] = useState(/** @type {Record<string, string>} */ ({}));
  /** @param {string} field @param {() => Promise<void>} work */
  const save = (field, work) => {
    const said = (/** @type {string} */ problem) => setProblems((known) => ({ ...known, [field]: problem }));
    // Each replaces the settings as the one before left them.
    latest = latest.catch(() => {}).then(work);
    latest.then(() => said(""), (error) => {
      if (!isProblem(error)) throw error;
      const [first] = error.errors;
      said(first ? fieldExplained(first, common) : explained(error, common));
    });
  };
  /** @param {string} field @param {Changed} fields */
  const put = (field, fields) =>
    save(field, () => {
      const all = { ...documentSettings.peek() ?? settings, ...fields };
      return replaceDocumentSettings(/** @type {DocumentSettings} */ (all));
    });
  return { problems, save, put };
}

/** @param {DocumentSettings} settings @param {(percent: number | undefined) => void} onChange @param {string | undefined} refused */
function taxField({ taxPercent }, onChange, refused) {
  const { send: text, common } = words.value;
  const [wrong, setWrong] = useState("");
  const commit = (/** @type {string} */ text) => {
    const { value, problem } = typed(text, BOUNDS.taxPercent);
    const isNone = problem === "missing";
    setWrong(problem && !isNone ? common.fields[problem] : "");
    if (!problem || isNone) onChange(value === null ? undefined : Number(value));
  };
  return textField({
    label: text.tax,
    value: taxPercent === undefined ? "" : shown(taxPercent, wordsLanguage.value),
    inputMode: "decimal",
    placeholder: text.noTax,
    onCommit: commit,
    ...problem(wrong || refused),
  });
}

/** @param {string | undefined} text */
const problem = (text) => text ? { problem: text } : {};

/** @param {DocumentSettings} settings @param {(currency: DocumentSettings["currency"]) => void} onChange */
function currencyField(settings, onChange) {
  const names = new Intl.DisplayNames(wordsLanguage.value, { type: "currency" });
  return selectField({
    label: words.value.send.currency,
    value: settings.currency,
    options: [...new Set([settings.currency, ...USUAL_CURRENCIES])].map((value) => ({
      value,
      label: `${value} · ${names.of(value) ?? value}`,
    })),
    onChange: (value) => onChange(/** @type {DocumentSettings["currency"]} */ (value)),
  });
}
