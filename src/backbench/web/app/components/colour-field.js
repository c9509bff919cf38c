// Colour field: named swatches, and any other colour.

import { useId } from "../vendor/hooks.js";
import { button, component, div, fieldset, icon, input, label as labelTag, legend, span } from "./tags.js";

/**
 * `own` is the label of the field for any other colour; `none` that of the swatch that takes the colour away.
 * @typedef {{ label: string, value: string | null, swatches: readonly { value: string, label: string }[],
 *   onChange: (value: string | null) => void, own?: string, none?: string }} ColourField
 */

/** @param {ColourField} props */
export const colourField = (props) => component(Field, props);

/** @param {ColourField} props */
function Field({ label, value, swatches, onChange, own, none }) {
  return fieldset(
    { class: "choice" },
    legend({ class: "label" }, label),
    div(
      { class: "swatches" },
      none && swatch(none, null, value === null, onChange),
      ...swatches.map((each) => swatch(each.label, each.value, same(each.value, value), onChange)),
    ),
    own && component(Own, { label: own, value: value ?? "#9a3412", onChange }),
  );
}

/** @param {string} label @param {string | null} value @param {boolean} chosen @param {(value: string | null) => void} onChange */
function swatch(label, value, chosen, onChange) {
  return button(
    {
      class: "swatch",
      type: "button",
      "aria-label": label,
      "aria-pressed": chosen,
      title: label,
      ref: (element) => element?.style.setProperty("--swatch", value ?? "var(--paper)"),
      onClick: () => onChange(value),
    },
    chosen && span({ class: "swatch-mark" }, icon("check")),
    value === null && !chosen && icon("x"),
  );
}

/** @param {{ label: string, value: string, onChange: (value: string) => void }} props */
function Own({ label, value, onChange }) {
  const id = useId();
  return div(
    { class: "colour-own" },
    labelTag({ for: id }, label),
    input({ id, type: "color", value, onChange: (event) => onChange(event.currentTarget.value) }),
  );
}

/** @param {string} one @param {string | null} other */
const same = (one, other) => one.toLowerCase() === other?.toLowerCase();
