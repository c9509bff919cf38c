// Free line: something without a tile. Its label and unit here, its price on the keypad.

import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/choice.js";
import { sheet } from "../../components/sheet.js";
import { form } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { newId } from "../../domain/ids.js";
import { UNITS } from "../../domain/units.js";
import { words } from "../../i18n/index.js";
import { batch } from "../../vendor/signals.js";
import { useState } from "../../vendor/hooks.js";
import { append, endEntry, startEntry } from "./till.js";

/** @param {{ till: import("./till.js").Till, onClose: () => void }} props */
export function FreeLine({ till, onClose }) {
  const [label, setLabel] = useState("");
  const [unit, setUnit] = useState(/** @type {typeof UNITS[number]} */ ("piece"));
  const { builder, common } = words.value;
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
      textField({
        label: builder.whatElse,
        value: label,
        onInput: setLabel,
        maxLength: 250,
        autofocus: true,
        autocomplete: "off",
        enterKeyHint: "done",
      }),
      choice({
        label: builder.unit,
        value: unit,
        options: UNITS.map((value) => ({ value, label: common.units[value].long })),
        onChange: setUnit,
      }),
      actionButton({ label: builder.addLine, kind: "main", type: "submit", disabled: !name }),
    ),
  );
}

/** @param {import("./till.js").Till} till @param {string} label @param {typeof UNITS[number]} unit */
function addFree(till, label, unit) {
  const line = { id: newId(), label, unit, unitPrice: 0, quantity: 1 };
  batch(() => {
    endEntry(till);
    append(till, line);
    startEntry(till, line.id, "unitPrice", { label, unit, unitPrice: 0 });
  });
}
