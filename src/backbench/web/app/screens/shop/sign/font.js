// Typeface of titles: each is shown in itself.

import { component, div, fieldset, input, label, legend, small, span } from "../../../components/tags.js";
import { shopWords } from "../../../words/shop.js";
import { useId } from "../../../vendor/hooks.js";
import { recordConflict } from "../../../components/record-fields.js";

/** @typedef {import("../sign.js").Record} SignRecord */

const FONTS = /** @type {const} */ (["sans", "serif", "didone", "mono", "rounded"]);

/** @param {{ record: SignRecord }} props */
export function FontField({ record }) {
  const text = shopWords.value.sign;
  const look = record.value.value;
  return fieldset(
    { class: "choice" },
    legend({ class: "label" }, text.titleFont),
    div(
      { class: "fonts" },
      ...FONTS.map((font) => component(Font, { record, font, name: look?.name ?? "" })),
    ),
    recordConflict({ record, name: "titleFont", show: (font) => text.fonts[/** @type {"sans"} */ (font)] }),
  );
}

/** @param {{ record: SignRecord, font: typeof FONTS[number], name: string }} props */
function Font({ record, font, name }) {
  const id = useId();
  return label(
    { class: `choice-option font face-${font}`, for: id },
    input({
      id,
      type: "radio",
      name: "title-font",
      value: font,
      checked: record.value.value?.titleFont === font,
      onChange: () => record.save({ titleFont: font }),
    }),
    span({ class: "font-sample" }, name),
    small({}, shopWords.value.sign.fonts[font]),
  );
}
