// Free line: something without a tile. Its label and unit here, its price on the keypad.

import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/choice.js";
import { sheet } from "../../components/sheet.js";
import { form } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { newId } from "../../domain/ids.js";
import { UNITS } from "../../domain/units.js";
import { builderWords } from "../../words/builder.js";
import { words } from "../../words/words.js";
import { batch } from "../../vendor/signals.js";
import { useState } from "../../vendor/hooks.js";
import { isFull } from "./room.js";
import { append, endEntry, present, startEntry } from "./till.js";

/** @typedef {typeof UNITS[number]} Unit */

/** @param {{ till: import("./till.js").Till, onClose: () => void }} props */
export function FreeLine({ till, onClose }) {
  const [label, setLabel] = useState("");
  const [unit, setUnit] = useState(/** @type {Unit} */ ("piece"));
  const builder = builderWords.value;
  const name = label.trim();
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!name) return;
    onClose();
    addFree(till, name, unit);
  };
  return sheet(
    { title: builder.somethingElse, onClose },
    form(
      { class: "stack", onSubmit: add },
      labelField(label, setLabel),
      unitChoice(unit, setUnit),
      actionButton({ label: builder.addLine, kind: "main", type: "submit", disabled: !name }),
    ),
  );
}

/** @param {string} value @param {(label: string) => void} onInput */
function labelField(value, onInput) {
  return textField({
    label: builderWords.value.whatElse,
    value,
    onInput,
    maxLength: 250,
    autofocus: true,
    autocomplete: "off",
    enterKeyHint: "done",
  });
}

/** @param {Unit} value @param {(unit: Unit) => void} onChange */
function unitChoice(value, onChange) {
  const options = UNITS.map((unit) => ({ value: unit, label: words.value.common.units[unit].long }));
  return choice({ label: builderWords.value.unit, value, options, onChange });
}

/** @param {import("./till.js").Till} till @param {string} label @param {Unit} unit */
function addFree(till, label, unit) {
  const line = { id: newId(), label, unit, unitPrice: 0, quantity: 1 };
  if (isFull(present(till))) return;
  batch(() => {
    endEntry(till);
    append(till, line);
    startEntry(till, line.id, "unitPrice", { label, unit, unitPrice: 0 });
  });
}
