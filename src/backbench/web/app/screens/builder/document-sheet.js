// Document sheet: what the PDF shows beside the lines. Saved field by field.

import { selectField } from "../../components/choice.js";
import { needsConnection } from "../../components/command.js";
import { conflictChoice } from "../../components/conflict-choice.js";
import { notice } from "../../components/notice.js";
import { pricesQuestion } from "../../components/prices.js";
import { sheet } from "../../components/sheet.js";
import { component, div, h3 } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { percentage } from "../../domain/format.js";
import { BOUNDS } from "../../domain/numbers.js";
import { editFacts, facts, openEstimate } from "../../state/estimates.js";
import { refusedOf } from "../../state/outbox.js";
import { exampleLine, isTaxedEstimate, setEstimatePrices } from "../../state/prices.js";
import { fieldProblem, softly } from "../../state/records.js";
import { pricesOf } from "../../state/totals.js";
import { documentSettings } from "../../state/workshops.js";
import { useEffect } from "../../vendor/hooks.js";
import { builderWords } from "../../words/builder.js";
import { explained, fieldExplained } from "../../words/problems.js";
import { words, wordsLanguage } from "../../words/words.js";
import { numberField } from "./number-field.js";

/** @typedef {import("./till.js").Till} Till */
/** @typedef {"number" | "recipientAddress" | "recipientTaxId" | "recipientEmail" | "recipientPhone" | "siteAddress" | "intro" | "terms" | "leadTime" | "taxNote" | "taxLabel"} TextFact */
/** @typedef {"taxPercent" | "depositPercent" | "depositAmount" | "validDays"} NumberFact */

const VALID_DAYS = { least: "0", most: "3650" };
const DEPOSIT_AMOUNT = { least: "0", most: "1000000000000" };
/** A deposit is a percentage or an amount. @type {Partial<Record<NumberFact, object>>} */
const INSTEAD_OF = { depositPercent: { depositAmount: null }, depositAmount: { depositPercent: null } };

/** @param {{ till: Till, onClose: () => void }} props */
export function DocumentSheet({ till, onClose }) {
  const text = builderWords.value;
  const known = facts(till.id).value;
  useEffect(() => void softly(() => openEstimate(till.id)), []);
  return sheet(
    { title: text.document, onClose },
    component(Problem, { id: till.id }),
    known
      ? div(
        { class: "stack" },
        client(till, known),
        texts(till, known),
        money(till, known),
        component(DocumentOptions, { till, known }),
      )
      : needsConnection(),
  );
}

/** What the server refused as a whole. @param {{ id: string }} props */
function Problem({ id }) {
  const problem = refusedOf(id)?.problem;
  return problem && !problem.errors.length
    ? notice({ kind: "alarm", text: explained(problem, words.value.common) })
    : null;
}

/** @param {Till} till @param {Api.DocumentFacts} known */
function client(till, known) {
  const text = builderWords.value;
  return div(
    { class: "panel" },
    h3({}, text.client),
    textFact(till, known, "recipientAddress", text.address, { multiline: true }),
    textFact(till, known, "recipientEmail", text.email, { type: "email" }),
    textFact(till, known, "recipientPhone", text.phone, { type: "tel" }),
    textFact(till, known, "recipientTaxId", text.taxId),
    textFact(till, known, "siteAddress", text.site, { multiline: true }),
  );
}

/** @param {Till} till @param {Api.DocumentFacts} known */
function texts(till, known) {
  const text = builderWords.value;
  return div(
    { class: "panel" },
    h3({}, text.text),
    textFact(till, known, "leadTime", text.leadTime),
    textFact(till, known, "intro", text.intro, { multiline: true }),
    textFact(till, known, "terms", text.terms, { multiline: true, help: text.termsHelp }),
    numberFact(till, known, "validDays", text.validDays, {
      whole: true,
      bounds: VALID_DAYS,
      help: text.usual(String(documentSettings.value?.validDays ?? 30)),
    }),
    textFact(till, known, "number", text.number, { help: text.numberHelp }),
  );
}

/** @param {Till} till @param {Api.DocumentFacts} known */
function money(till, known) {
  const text = builderWords.value;
  const usual = documentSettings.value?.taxPercent;
  return div(
    { class: "panel" },
    h3({}, text.tax),
    optionField(till.id, known, "taxKind", text.paper.taxKind),
    numberFact(till, known, "taxPercent", text.taxPercent, {
      bounds: BOUNDS.taxPercent,
      help: usual === undefined ? text.taxNone : text.usual(percentage(usual, wordsLanguage.value)),
    }),
    textFact(till, known, "taxLabel", text.taxLabel),
    isTaxedEstimate(till.id) && pricesQuestion({
      id: till.id,
      value: pricesOf(till.id),
      example: (to) => exampleLine(till.id, to),
      onChange: (to, numbers) => setEstimatePrices(till.id, to, numbers),
    }),
    textFact(till, known, "taxNote", text.taxNote, { multiline: true }),
    numberFact(till, known, "depositPercent", text.deposit, {
      bounds: BOUNDS.depositPercent,
      help: text.depositHelp,
    }),
    numberFact(till, known, "depositAmount", text.paper.depositAmount, {
      bounds: DEPOSIT_AMOUNT,
      help: text.paper.depositAmountHelp,
    }),
    optionField(till.id, known, "depositKind", text.paper.depositKind),
  );
}

/** @param {Till} till @param {Api.DocumentFacts} known @param {TextFact} fact @param {string} label @param {object} [more] */
function textFact({ id }, known, fact, label, more = {}) {
  const value = known[fact] ?? "";
  return div(
    { class: "stack" },
    textField({
      label,
      // A label in two languages is that of the settings, written in by an older version.
      value: typeof value === "string" ? value : "",
      maxLength: 2000,
      autocomplete: "off",
      ...problemOf(id, fact),
      ...more,
      onCommit: (text) => editFacts(id, { [fact]: text.trim() }),
    }),
    conflictChoice({ objectId: id, part: "document", field: fact }),
  );
}

/** @param {Till} till @param {Api.DocumentFacts} known @param {NumberFact} fact @param {string} label @param {{ bounds: import("../../domain/numbers.js").Bounds, whole?: boolean, help?: string }} more */
function numberFact({ id }, known, fact, label, more) {
  return div(
    { class: "stack" },
    numberField({
      label,
      value: known[fact],
      ...more,
      onValue: (value) => editFacts(id, { [fact]: value, ...(value === null ? {} : INSTEAD_OF[fact]) }),
    }),
    conflictChoice({ objectId: id, part: "document", field: fact }),
  );
}

/** @param {string} id @param {string} fact */
function problemOf(id, fact) {
  const found = fieldProblem("document", id, fact);
  return found ? { problem: fieldExplained(found, words.value.common) } : {};
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

/** The words of the choices. @param {Option} name @returns {Record<string, string>} */
export function optionWords(name) {
  return builderWords.value.paper.choices[name];
}

/** @param {Record<string, string>} labels @returns {Choice[]} */
export const choices = (labels) => Object.entries(labels).map(([value, label]) => ({ value, label }));

/** @param {{ till: import("./till.js").Till, known: Api.DocumentFacts }} props */
function DocumentOptions({ till, known }) {
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
function optionField(id, known, name, label, help) {
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
