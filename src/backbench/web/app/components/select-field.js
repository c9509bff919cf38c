// Select field: one of many.

import { useId } from "../vendor/hooks.js";
import { component, div, label as labelTag, option, p, select } from "./tags.js";

/** @typedef {{ label: string, options: readonly { value: string, label: string }[], value: string, onChange: (value: string) => void, help?: string, bare?: boolean }} SelectField `bare` leaves the label to screen readers */

/** @param {SelectField} props */
export const selectField = (props) => component(Field, props);

/** @param {SelectField} props */
function Field({ label, options, value, onChange, help, bare = false }) {
  const id = useId();
  return div(
    { class: "field" },
    labelTag({ for: id, class: bare ? "spoken" : undefined }, label),
    select(
      { id, class: "input", value, onChange: (event) => onChange(event.currentTarget.value) },
      ...options.map((each) => option({ value: each.value, selected: each.value === value }, each.label)),
    ),
    help && p({ class: "field-help" }, help),
  );
}
