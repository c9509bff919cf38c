// Document sheet: what stands on the PDF beside the lines. Saved field by field.

import { isProblem } from "../../api/problems.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { component, div, h3 } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { percentage } from "../../domain/format.js";
import { BOUNDS } from "../../domain/numbers.js";
import { explained, fieldExplained } from "../../i18n/problems.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { facts, openEstimate } from "../../state/estimates.js";
import { settle } from "../../state/outbox.js";
import { documentSettings } from "../../state/workshops.js";
import { useEffect } from "../../vendor/hooks.js";
import { editFacts, factsProblem } from "./document.js";
import { numberField } from "./number-field.js";

/** @typedef {import("./till.js").Till} Till */
/** @typedef {import("../../../../../../types/shapes.d.ts").DocumentFacts} DocumentFacts */
/** @typedef {"number" | "recipientAddress" | "recipientTaxId" | "recipientEmail" | "recipientPhone" | "siteAddress" | "intro" | "terms" | "leadTime" | "taxNote" | "taxLabel"} TextFact */
/** @typedef {"taxPercent" | "depositPercent" | "validDays"} NumberFact */

const VALID_DAYS = { least: "0", most: "3650" };

/** @param {{ till: Till, onClose: () => void }} props */
export function DocumentSheet({ till, onClose }) {
  const text = words.value.builder;
  const known = facts(till.id).value;
  useEffect(() => {
    // An estimate of this device alone is sent first.
    settle(till.id).then(() => openEstimate(till.id)).catch((
      error,
    ) => (factsProblem.value = problemOnly(error)));
    return () => (factsProblem.value = null);
  }, []);
  return sheet(
    { title: text.document, onClose },
    isOnline() ? component(Problem, {}) : needsConnection(),
    known && isOnline() &&
      div({ class: "stack" }, client(till, known), texts(till, known), money(till, known)),
  );
}

/** @param {unknown} error */
function problemOnly(error) {
  if (isProblem(error)) return error;
  throw error;
}

function Problem() {
  const problem = factsProblem.value;
  if (!problem || problem.errors.length) return null;
  const { status, code, data } = problem;
  return notice({ kind: "alarm", text: explained({ status, code, data }, words.value.common) });
}

/** @param {Till} till @param {DocumentFacts} known */
function client(till, known) {
  const text = words.value.builder;
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

/** @param {Till} till @param {DocumentFacts} known */
function texts(till, known) {
  const text = words.value.builder;
  return div(
    { class: "panel" },
    h3({}, text.text),
    textFact(till, known, "leadTime", text.leadTime),
    textFact(till, known, "intro", text.intro, { multiline: true }),
    textFact(till, known, "terms", text.terms, { multiline: true, help: text.termsHelp }),
    numberFact(till, known, "validDays", text.validDays, {
      whole: true,
      bounds: VALID_DAYS,
      help: String(documentSettings.value?.validDays ?? 30),
    }),
    textFact(till, known, "number", text.number, { help: text.numberHelp }),
  );
}

/** @param {Till} till @param {DocumentFacts} known */
function money(till, known) {
  const text = words.value.builder;
  const usual = documentSettings.value?.taxPercent;
  return div(
    { class: "panel" },
    h3({}, text.tax),
    numberFact(till, known, "taxPercent", text.taxPercent, {
      bounds: BOUNDS.taxPercent,
      help: usual === undefined ? text.taxNone : text.taxUsual(percentage(usual, wordsLanguage.value)),
    }),
    textFact(till, known, "taxLabel", text.taxLabel),
    textFact(till, known, "taxNote", text.taxNote),
    numberFact(till, known, "depositPercent", text.deposit, {
      bounds: BOUNDS.depositPercent,
      help: text.depositHelp,
    }),
  );
}

/** @param {Till} till @param {DocumentFacts} known @param {TextFact} fact @param {string} label @param {object} [more] */
function textFact(till, known, fact, label, more = {}) {
  return textField({
    label,
    value: known[fact] ?? "",
    maxLength: 2000,
    autocomplete: "off",
    ...problemOf(fact),
    ...more,
    onCommit: (value) => void editFacts(till.id, { [fact]: value.trim() || null }),
  });
}

/** @param {Till} till @param {DocumentFacts} known @param {NumberFact} fact @param {string} label @param {{ bounds: import("../../domain/numbers.js").Bounds, whole?: boolean, help?: string }} more */
function numberFact(till, known, fact, label, more) {
  return numberField({
    label,
    value: known[fact],
    ...more,
    onValue: (value) => void editFacts(till.id, { [fact]: value }),
  });
}

/** @param {string} fact */
function problemOf(fact) {
  const found = factsProblem.value?.errors.find(({ pointer }) => pointer.startsWith(`/${fact}`));
  return found ? { problem: fieldExplained(found, words.value.common) } : {};
}
