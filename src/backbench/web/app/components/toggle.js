// Toggle: on or off, at once.

import { input, label as labelTag, span } from "./tags.js";

/** @param {{ label: string, help?: string, value: boolean, onChange: (value: boolean) => void, disabled?: boolean }} props */
export function toggle({ label, help, value, onChange, disabled = false }) {
  return labelTag(
    { class: "toggle" },
    span({}, label, help && span({ class: "quiet-text", style: { display: "block" } }, help)),
    input({
      type: "checkbox",
      role: "switch",
      checked: value,
      disabled,
      onChange: (event) => onChange(event.currentTarget.checked),
    }),
  );
}
