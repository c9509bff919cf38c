// Choice: one of a few, all of them seen at once.

import { useId } from "../vendor/hooks.js";
import { component, div, fieldset, input, label as labelTag, legend, span } from "./tags.js";

/**
 * @template {string} T
 * @typedef {{ label: string, options: readonly { value: T, label: string }[], value: T, onChange: (value: T) => void,
 *   bare?: boolean }} Choice `bare` leaves the label to screen readers
 */

/** @template {string} T @param {Choice<T>} props */
export const choice = (props) => component(ChoiceOf, /** @type {any} */ (props));

/** @param {Choice<string>} props */
function ChoiceOf({ label, options, value, onChange, bare = false }) {
  const name = useId();
  return fieldset(
    { class: "choice" },
    legend({ class: bare ? "spoken" : "label" }, label),
    div(
      { class: "choice-options" },
      ...options.map((option) =>
        labelTag(
          { class: "choice-option" },
          input({
            type: "radio",
            name,
            value: option.value,
            checked: option.value === value,
            onChange: () => onChange(option.value),
          }),
          span({}, option.label),
        )
      ),
    ),
  );
}
