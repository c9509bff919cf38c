// Line sheet: everything about one line. Each change counts at once.

import { actionButton } from "../../components/action-button.js";
import { conflictChoice } from "../../components/conflict-choice.js";
import { selectField } from "../../components/select-field.js";
import { sheet } from "../../components/sheet.js";
import { component, div } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { quantity } from "../../domain/format.js";
import { shown as shownNumber } from "../../domain/numbers.js";
import { UNITS } from "../../domain/units.js";
import { builderWords } from "../../words/builder.js";
import { words, wordsLanguage } from "../../words/words.js";
import { deleteLine, editLine, estimate, moveLine } from "../../state/estimates.js";
import { offerUndo } from "../../state/undo.js";
import { useState } from "../../vendor/hooks.js";
import { entryPad } from "./entry.js";
import { LineSection, LineTax } from "./line-tax.js";
import { duplicateLine } from "./till.js";

/** @typedef {import("./till.js").Till} Till */

/** @param {{ till: Till }} props */
export function LineSheet({ till }) {
  const lines = estimate(till.id).value?.lineItems ?? [];
  const at = lines.findIndex(({ id }) => id === till.opened.value);
  const line = lines[at];
  const entry = till.entry.value;
  if (!line || !entry) return null;
  const close = () => {
    till.opened.value = "";
    till.entry.value = null;
  };
  return sheet(
    {
      title: line.label,
      onClose: close,
      foot: actionButton({
        label: words.value.common.buttons.done,
        kind: "main",
        wide: true,
        onClick: close,
      }),
    },
    disputes(till, line),
    entryPad({ till, line, entry }),
    component(Names, { till, line, key: line.id }),
    component(LineTax, { till, line }),
    component(LineSection, { till, line, key: `section ${line.id}` }),
    component(Actions, { till, line, at, count: lines.length, close }),
  );
}

/** @param {Till} till @param {Api.LineItem} line */
function disputes(till, line) {
  const language = wordsLanguage.value;
  const { units } = words.value.common;
  /** @type {[string, (value: any) => string][]} */
  const fields = [
    ["label", String],
    ["quantity", (value) => quantity(value, language)],
    ["unitPrice", (value) => shownNumber(value, language)],
    ["unit", (/** @type {Api.LineItem["unit"]} */ unit) => units[unit].long],
  ];
  return div(
    { class: "disputes" },
    ...fields.map(([field, show]) => conflictChoice({ objectId: till.id, part: line.id, field, show })),
  );
}

/** @param {{ till: Till, line: Api.LineItem }} props */
function Names({ till, line }) {
  const { common } = words.value;
  const builder = builderWords.value;
  const [isEmpty, setEmpty] = useState(false);
  const save = (/** @type {string} */ label) => {
    if (label.trim()) editLine(till.id, line.id, { label: label.trim() });
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
      onChange: (unit) => editLine(till.id, line.id, { unit: /** @type {Api.LineItem["unit"]} */ (unit) }),
    }),
  );
}

/** @param {{ till: Till, line: Api.LineItem, at: number, count: number, close: () => void }} props */
function Actions({ till, line, at, count, close }) {
  const { common } = words.value;
  const builder = builderWords.value;
  const remove = () => {
    close();
    offerUndo(builder.lineDeleted(line.label), deleteLine(till.id, line.id));
  };
  const copy = () => {
    close();
    duplicateLine(till, line);
  };
  return div(
    { class: "builder-actions" },
    actionButton({
      label: common.buttons.moveUp,
      icon: "arrow-up",
      disabled: at === 0,
      onClick: () => moveLine(till.id, line.id, at - 1),
    }),
    actionButton({
      label: common.buttons.moveDown,
      icon: "arrow-down",
      disabled: at === count - 1,
      onClick: () => moveLine(till.id, line.id, at + 1),
    }),
    actionButton({ label: common.buttons.duplicate, icon: "copy", onClick: copy }),
    actionButton({ label: common.buttons.delete, icon: "trash-2", kind: "danger", onClick: remove }),
  );
}
