// Select field: one of many.

import { useId } from "../vendor/hooks.js";
import { component, div, label as labelTag, option, p, select } from "./tags.js";

/** @typedef {{ label: string, options: readonly { value: string, label: string }[], value: string, onChange: (value: string) => void, help?: string }} SelectField */

/** @param {SelectField} props */
export const selectField = (props) => component(Field, props);

/** @param {SelectField} props */
function Field({ label, options, value, onChange, help }) {
  const id = useId();
  return div(
    { class: "field" },
    labelTag({ for: id }, label),
    select(
      { id, class: "input", value, onChange: (event) => onChange(event.currentTarget.value) },
      ...options.map((each) => option({ value: each.value, selected: each.value === value }, each.label)),
    ),
    help && p({ class: "field-help" }, help),
  );
}
