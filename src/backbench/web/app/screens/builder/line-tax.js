// Tax of a line that differs from that of the estimate, and the heading of the section that begins with the line.

import { conflictChoice } from "../../components/conflict-choice.js";
import { selectField } from "../../components/select-field.js";
import { div } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { BOUNDS } from "../../domain/numbers.js";
import { builderWords } from "../../words/builder.js";
import { editFacts, editLineTax, facts } from "../../state/estimates.js";
import { documentSettings } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { choices } from "./document-options.js";
import { numberField } from "./number-field.js";
import { NEW } from "./till.js";

/** @typedef {import("./till.js").Till} Till */
/** @typedef {import("../../domain/taxes.js").NoRate} NoRate */

/** @param {Till} till */
const factsOf = (till) => till.id === NEW ? {} : facts(till.id).value ?? {};

/** @param {ReturnType<typeof factsOf>} known */
function isTaxed(known) {
  const usual = documentSettings.value;
  return [known.taxPercent, known.taxKind, usual?.taxPercent, usual?.taxKind].some((each) =>
    each !== undefined
  );
}

/** Offered where there is tax. @param {{ till: Till, line: { id: string } }} props */
export function LineTax({ till, line }) {
  const known = factsOf(till);
  const own = known.lineTaxes?.[line.id];
  const [isRate, setIsRate] = useState(typeof own === "number");
  if (!isTaxed(known)) return null;
  const text = builderWords.value;
  const { exempt, reverse_charge, outside } = text.paper.choices.taxKind;
  const set = (/** @type {string} */ value) => {
    setIsRate(value === "rate");
    if (value === "rate") return;
    editLineTax(till.id, line.id, value === "usual" ? null : /** @type {NoRate} */ (value));
  };
  return div(
    { class: "stack" },
    selectField({
      label: text.paper.lineTaxKind,
      value: isRate ? "rate" : typeof own === "string" ? own : "usual",
      options: choices({ ...text.paper.lineTaxes, exempt, reverse_charge, outside }),
      onChange: set,
    }),
    isRate && numberField({
      label: text.lineTax,
      help: text.lineTaxHelp,
      value: typeof own === "number" ? own : undefined,
      bounds: BOUNDS.taxPercent,
      onValue: (percent) => editLineTax(till.id, line.id, percent),
    }),
    conflictChoice({ objectId: till.id, part: "taxes", field: line.id }),
  );
}

/** @param {{ till: Till, line: { id: string } }} props */
export function LineSection({ till, line }) {
  if (till.id === NEW) return null;
  const { [line.id]: heading = "", ...others } = factsOf(till).sections ?? {};
  const text = builderWords.value.paper;
  const save = (/** @type {string} */ typed) => {
    const sections = typed.trim() ? { ...others, [line.id]: typed.trim() } : others;
    editFacts(till.id, { sections: Object.keys(sections).length ? sections : null });
  };
  return div(
    { class: "stack" },
    textField({
      label: text.section,
      help: text.sectionHelp,
      value: heading,
      maxLength: 250,
      autocomplete: "off",
      onCommit: save,
    }),
    conflictChoice({ objectId: till.id, part: "document", field: "sections" }),
  );
}
