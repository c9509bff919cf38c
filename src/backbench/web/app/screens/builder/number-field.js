// Number field: a number typed with a keyboard, with comma or point; refused while it is typed.

import { textField } from "../../components/text-field.js";
import { component } from "../../components/tags.js";
import { shown, typed } from "../../domain/numbers.js";
import { fieldExplained } from "../../words/problems.js";
import { builderWords } from "../../words/builder.js";
import { words, wordsLanguage } from "../../words/words.js";
import { useState } from "../../vendor/hooks.js";

/**
 * `onValue` gets null for an empty field. `whole` refuses decimals.
 * @typedef {{ label: string, value: number | undefined, bounds: import("../../domain/numbers.js").Bounds,
 *   onValue: (value: number | null) => void, help?: string, whole?: boolean }} NumberField
 */

/** @param {NumberField} props */
export const numberField = (props) => component(Field, props);

/** @param {NumberField} props */
function Field({ label, value, bounds, onValue, help, whole = false }) {
  const [problem, setProblem] = useState("");
  const check = (/** @type {string} */ text) => {
    const found = typed(text, bounds, wordsLanguage.value);
    const isFraction = whole && found.value !== null && !/^\d+$/.test(found.value);
    if (found.problem === "missing") setProblem("");
    else if (isFraction) setProblem(builderWords.value.wholeNumber);
    else {setProblem(
        found.problem ? fieldExplained({ pointer: "", code: found.problem }, words.value.common) : "",
      );}
    return { ...found, isFraction };
  };
  return textField({
    label,
    value: value === undefined ? "" : shown(value, wordsLanguage.value),
    inputMode: "decimal",
    autocomplete: "off",
    ...(help ? { help } : {}),
    ...(problem ? { problem } : {}),
    onInput: check,
    onCommit: (text) => {
      const found = check(text);
      if (found.problem === "missing") onValue(null);
      else if (found.value !== null && !found.isFraction) onValue(Number(found.value));
    },
  });
}
