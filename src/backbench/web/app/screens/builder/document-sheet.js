// Document sheet: what the PDF shows beside the lines. Saved field by field.

import { boundFields } from "../../components/bound-fields.js";
import { needsConnection } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { pricesQuestion } from "../../components/prices.js";
import { sheet } from "../../components/sheet.js";
import { component, div, h3 } from "../../components/tags.js";
import { percentage } from "../../domain/format.js";
import { BOUNDS } from "../../domain/numbers.js";
import { editFacts, facts, openEstimate } from "../../state/estimates.js";
import { refusedOf } from "../../state/outbox.js";
import { exampleLine, isTaxedEstimate, setEstimatePrices } from "../../state/prices.js";
import { softly } from "../../state/records.js";
import { pricesOf } from "../../state/totals.js";
import { documentSettings } from "../../state/workshops.js";
import { useEffect } from "../../vendor/hooks.js";
import { builderWords } from "../../words/builder.js";
import { explained } from "../../words/problems.js";
import { wordsLanguage } from "../../words/words.js";
/** @typedef {import("./editing.js").Editing} Editing */
/** @typedef {ReturnType<typeof boundFields>} Fields */

const VALID_DAYS = { least: "0", most: "3650" };
const DEPOSIT_AMOUNT = { least: "0", most: "1000000000000" };
/** A deposit is a percentage or an amount. @param {string} name */
const insteadOf = (name) =>
  ({ depositPercent: { depositAmount: null }, depositAmount: { depositPercent: null } })[name] ?? {};

/** @param {{ editing: Editing, onClose: () => void }} props */
export function DocumentSheet({ editing, onClose }) {
  const text = builderWords.value;
  const known = facts(editing.id);
  useEffect(() => void softly(() => openEstimate(editing.id)), []);
  const save = (/** @type {Record<string, any>} */ fields) =>
    editFacts(editing.id, Object.assign({}, ...Object.keys(fields).map(insteadOf), fields));
  const field = boundFields({ kind: "document", id: editing.id, part: "document", value: known, save }, {
    ...text.paper,
    ...text,
  });
  return sheet(
    { title: text.document, onClose },
    component(Problem, { id: editing.id }),
    known.value
      ? div({ class: "stack" }, client(field), texts(field), money(editing, field), options(editing, field))
      : needsConnection(),
  );
}

/** What the server refused as a whole. @param {{ id: string }} props */
function Problem({ id }) {
  const problem = refusedOf(id)?.problem;
  return problem && !problem.errors.length ? notice({ kind: "alarm", text: explained(problem) }) : null;
}

/** @param {Fields} field */
const client = (field) =>
  div(
    { class: "panel" },
    h3({}, builderWords.value.client),
    field.text("recipientAddress", { maxLength: 2000, multiline: true, empty: "" }),
    field.text("recipientEmail", { maxLength: 2000, type: "email", empty: "" }),
    field.text("recipientPhone", { maxLength: 2000, type: "tel", empty: "" }),
    field.text("recipientTaxId", { maxLength: 2000, empty: "" }),
    field.text("siteAddress", { maxLength: 2000, multiline: true, empty: "" }),
  );

/** @param {Fields} field */
function texts(field) {
  const text = builderWords.value;
  return div(
    { class: "panel" },
    h3({}, text.text),
    field.text("leadTime", { maxLength: 2000, empty: "" }),
    field.text("intro", { maxLength: 2000, multiline: true, empty: "" }),
    field.text("terms", { maxLength: 2000, multiline: true, empty: "" }),
    field.number("validDays", VALID_DAYS, {
      whole: true,
      help: text.usual(String(documentSettings.value?.validDays ?? 30)),
    }),
    field.text("number", { maxLength: 2000, empty: "" }),
  );
}

/** @param {Editing} editing @param {Fields} field */
function money(editing, field) {
  const text = builderWords.value;
  const usual = documentSettings.value?.taxPercent;
  return div(
    { class: "panel" },
    h3({}, text.tax),
    option(field, "taxKind"),
    field.number("taxPercent", BOUNDS.taxPercent, {
      help: usual === undefined ? text.taxNone : text.usual(percentage(usual, wordsLanguage.value)),
    }),
    field.text("taxLabel", { maxLength: 2000, empty: "" }),
    isTaxedEstimate(editing.id) && pricesQuestion({
      id: editing.id,
      value: pricesOf(editing.id),
      example: (to) => exampleLine(editing.id, to),
      onChange: (to, numbers) => setEstimatePrices(editing.id, to, numbers),
    }),
    field.text("taxNote", { maxLength: 2000, multiline: true, empty: "" }),
    field.number("depositPercent", BOUNDS.depositPercent),
    field.number("depositAmount", DEPOSIT_AMOUNT),
    option(field, "depositKind"),
  );
}

// Document options: how the PDF shows an estimate. Each is that of the workshop's settings, or the estimate's own.

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

/** @param {Record<string, string>} labels @returns {Choice[]} */
export const choices = (labels) => Object.entries(labels).map(([value, label]) => ({ value, label }));

/** @param {Editing} editing @param {Fields} field */
function options(editing, field) {
  const text = builderWords.value.paper;
  return div(
    { class: "panel" },
    h3({}, text.title),
    option(field, "documentTitle"),
    // Prices that are entered with tax are shown with it.
    pricesOf(editing.id) === "net" && option(field, "pricesShown"),
    field.select("breakdown", text.choices.breakdown, "full"),
    option(field, "withdrawal"),
  );
}

/** @param {Fields} field @param {Option} name */
function option(field, name) {
  const { asUsual, choices: { [name]: labels } } = builderWords.value.paper;
  const usual = documentSettings.value?.[name] ?? DEFAULTS[name];
  const label = `${asUsual}: ${/** @type {Record<string, string>} */ (labels)[usual] ?? usual}`;
  return field.select(name, [{ value: USUAL, label }, ...choices(labels)], USUAL);
}
