// Line sheet: everything about one line. Each change counts at once.

import { conflictChoice, hasUnreadable, numberField } from "../../components/bound-fields.js";
import { actionButton } from "../../components/action-button.js";
import { selectField } from "../../components/controls.js";
import { sheet } from "../../components/sheet.js";
import { component, div } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { BOUNDS } from "../../domain/numbers.js";
import { UNITS } from "../../domain/units.js";
import {
  deleteLine,
  editFacts,
  editLine,
  editLineTax,
  estimate,
  facts,
  moveLine,
} from "../../state/estimates.js";
import { offerUndo } from "../../state/undo.js";
import { documentSettings } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { builderWords } from "../../words/builder.js";
import { words } from "../../words/words.js";
import { choices } from "./document-sheet.js";
import { entryPad } from "./entry.js";
import { duplicateLine, NEW } from "./editing.js";

/** @typedef {import("./editing.js").Editing} Editing */

/** @param {{ editing: Editing }} props */
export function LineSheet({ editing }) {
  const lines = estimate(editing.id).value?.lineItems ?? [];
  const at = lines.findIndex(({ id }) => id === editing.opened.value);
  const line = lines[at];
  const entry = editing.entry.value;
  if (!line || !entry) return null;
  const close = () => {
    editing.opened.value = "";
    editing.entry.value = null;
  };
  return sheet(
    {
      title: line.label,
      onClose: close,
      foot: actionButton({
        label: words.value.common.buttons.done,
        kind: "main",
        wide: true,
        onClick: () => entry.problem || hasUnreadable() || close(),
      }),
    },
    disputes(editing, line),
    entryPad({ editing, line, entry }),
    component(Names, { editing, line, key: line.id }),
    component(LineTax, { editing, line }),
    component(LineSection, { editing, line, key: `section ${line.id}` }),
    component(Actions, { editing, line, at, count: lines.length, close }),
  );
}

/** @param {Editing} editing @param {Api.LineItem} line */
const disputes = (editing, line) =>
  div(
    { class: "disputes" },
    ...["label", "quantity", "unitPrice", "unit"].map((field) =>
      conflictChoice({ objectId: editing.id, part: line.id, field })
    ),
  );

/** @param {{ editing: Editing, line: Api.LineItem }} props */
function Names({ editing, line }) {
  const { common } = words.value;
  const builder = builderWords.value;
  const [isEmpty, setEmpty] = useState(false);
  const save = (/** @type {string} */ label) => {
    if (label.trim()) editLine(editing.id, line.id, { label: label.trim() });
  };
  return div(
    { class: "stack" },
    textField({
      label: builder.label,
      value: line.label,
      maxLength: 250,
      autocomplete: "off",
      ...(isEmpty ? { problem: builder.labelMissing } : {}),
      onInput: (label) => setEmpty(!label.trim()),
      onCommit: save,
    }),
    selectField({
      label: builder.unit,
      value: line.unit,
      options: UNITS.map((value) => ({ value, label: common.units[value].long })),
      onChange: (unit) => editLine(editing.id, line.id, { unit: /** @type {Api.LineItem["unit"]} */ (unit) }),
    }),
  );
}

/** @param {{ editing: Editing, line: Api.LineItem, at: number, count: number, close: () => void }} props */
function Actions({ editing, line, at, count, close }) {
  const { common } = words.value;
  const builder = builderWords.value;
  const remove = () => {
    close();
    offerUndo(builder.lineDeleted(line.label), deleteLine(editing.id, line.id));
  };
  const copy = () => {
    close();
    duplicateLine(editing, line);
  };
  return div(
    { class: "builder-actions" },
    actionButton({
      label: common.buttons.moveUp,
      icon: "arrow-up",
      disabled: at === 0,
      onClick: () => moveLine(editing.id, line.id, at - 1),
    }),
    actionButton({
      label: common.buttons.moveDown,
      icon: "arrow-down",
      disabled: at === count - 1,
      onClick: () => moveLine(editing.id, line.id, at + 1),
    }),
    actionButton({ label: common.buttons.duplicate, icon: "copy", onClick: copy }),
    actionButton({ label: common.buttons.delete, icon: "trash-2", kind: "danger", onClick: remove }),
  );
}

// Tax of a line that differs from that of the estimate, and the heading of the section that begins with the line.

/** @typedef {import("../../domain/taxes.js").NoRate} NoRate */

/** @param {Editing} editing */
const factsOf = (editing) => editing.id === NEW ? {} : facts(editing.id).value ?? {};

/** @param {ReturnType<typeof factsOf>} known */
function isTaxed(known) {
  const usual = documentSettings.value;
  return [known.taxPercent, known.taxKind, usual?.taxPercent, usual?.taxKind].some((each) =>
    each !== undefined
  );
}

/** Offered where there is tax. @param {{ editing: Editing, line: { id: string } }} props */
function LineTax({ editing, line }) {
  const known = factsOf(editing);
  const own = known.lineTaxes?.[line.id];
  const [isRate, setIsRate] = useState(typeof own === "number");
  if (!isTaxed(known)) return null;
  const text = builderWords.value;
  const { exempt, reverse_charge, outside } = text.paper.choices.taxKind;
  const set = (/** @type {string} */ value) => {
    setIsRate(value === "rate");
    if (value === "rate") return;
    editLineTax(editing.id, line.id, value === "usual" ? null : /** @type {NoRate} */ (value));
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
      onValue: (percent) => editLineTax(editing.id, line.id, percent),
    }),
    conflictChoice({ objectId: editing.id, part: "taxes", field: line.id }),
  );
}

/** @param {{ editing: Editing, line: { id: string } }} props */
function LineSection({ editing, line }) {
  if (editing.id === NEW) return null;
  const { [line.id]: heading = "", ...others } = factsOf(editing).sections ?? {};
  const text = builderWords.value.paper;
  const save = (/** @type {string} */ typed) => {
    const sections = typed.trim() ? { ...others, [line.id]: typed.trim() } : others;
    editFacts(editing.id, { sections: Object.keys(sections).length ? sections : null });
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
    conflictChoice({ objectId: editing.id, part: "document", field: "sections" }),
  );
}
