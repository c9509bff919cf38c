// Document options: how the PDF shows an estimate. Each is that of the workshop's settings, or the estimate's own.

import { conflictChoice } from "../../components/conflict-choice.js";
import { selectField } from "../../components/select-field.js";
import { div, h3 } from "../../components/tags.js";
import { builderWords } from "../../words/builder.js";
import { editFacts } from "../../state/estimates.js";
import { pricesOf } from "../../state/totals.js";
import { documentSettings } from "../../state/workshops.js";

/** @typedef {"taxKind" | "pricesShown" | "documentTitle" | "depositKind" | "withdrawal"} Option */
/** @typedef {{ value: string, label: string }} Choice */

const USUAL = "";
/** What applies without a choice in the settings. */
const DEFAULTS = {
  taxKind: "rate",
  pricesShown: "net",
  documentTitle: "estimate",
  depositKind: "advance",
  withdrawal: "none",
};

/** The words of the choices. @param {Option} name @returns {Record<string, string>} */
export function optionWords(name) {
  return builderWords.value.paper.choices[name];
}

/** @param {Record<string, string>} labels @returns {Choice[]} */
export const choices = (labels) => Object.entries(labels).map(([value, label]) => ({ value, label }));

/** @param {{ till: import("./till.js").Till, known: Api.DocumentFacts }} props */
export function DocumentOptions({ till, known }) {
  const text = builderWords.value.paper;
  return div(
    { class: "panel" },
    h3({}, text.title),
    optionField(till.id, known, "documentTitle", text.documentTitle),
    // Prices that are entered with tax are shown with it.
    pricesOf(till.id) === "net" && optionField(till.id, known, "pricesShown", text.pricesShown),
    selectField({
      label: text.breakdown,
      value: known.breakdown ?? "full",
      options: choices(text.choices.breakdown),
      onChange: (value) =>
        editFacts(till.id, { breakdown: value === "full" ? null : /** @type {any} */ (value) }),
    }),
    optionField(till.id, known, "withdrawal", text.withdrawal, text.withdrawalHelp),
  );
}

/** @param {string} id @param {Api.DocumentFacts} known @param {Option} name @param {string} label @param {string} [help] */
export function optionField(id, known, name, label, help) {
  const labels = optionWords(name);
  const usual = documentSettings.value?.[name] ?? DEFAULTS[name];
  const asUsual = { value: USUAL, label: `${builderWords.value.paper.asUsual}: ${labels[usual] ?? usual}` };
  return div(
    { class: "stack" },
    selectField({
      label,
      value: known[name] ?? USUAL,
      options: [asUsual, ...choices(labels)],
      onChange: (value) => editFacts(id, { [name]: value === USUAL ? null : value }),
      ...(help ? { help } : {}),
    }),
    conflictChoice({ objectId: id, part: "document", field: name }),
  );
}
