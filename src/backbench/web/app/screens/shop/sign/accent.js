// Accent colour: for rules and small words on paper. Light ones are printed darker, and the screen says so.

import { colourField } from "../../../components/colour-field.js";
import { component, p, span } from "../../../components/tags.js";
import { contrast } from "../../../domain/colours.js";
import { readable, TEXT_CONTRAST } from "../../../domain/shades.js";
import { shopWords } from "../../../words/shop.js";
import { useEffect, useRef } from "../../../vendor/hooks.js";
import { problemAt, recordConflict } from "../../../components/record-fields.js";

/** @typedef {import("../sign.js").Record} SignRecord */

const WHITE = "#FFFFFF";
const ACCENTS = /** @type {const} */ ({
  brick: "#9A3412",
  ochre: "#C48A1A",
  moss: "#3F6B3A",
  sea: "#14707A",
  sky: "#2B6CB0",
  plum: "#6B2F63",
  rose: "#C2475D",
  walnut: "#7A4B21",
  slate: "#475569",
});

/** @param {{ record: SignRecord }} props */
export function AccentFields({ record }) {
  const text = shopWords.value.sign;
  const accent = record.value.value?.accentColor ?? null;
  const problem = problemAt(record, "accentColor");
  return [
    colourField({
      label: text.accent,
      value: accent,
      none: text.noAccent,
      own: text.otherColour,
      swatches: Object.entries(ACCENTS).map(([name, value]) => ({
        value,
        label: text.accents[/** @type {keyof typeof ACCENTS} */ (name)],
      })),
      onChange: (value) => record.save({ accentColor: value }),
    }),
    problem && p({ class: "field-problem", role: "alert" }, problem),
    recordConflict({ record, name: "accentColor" }),
    accent && component(Contrast, { accent }),
  ];
}

/** How small words in the colour look on paper. @param {{ accent: string }} props */
function Contrast({ accent }) {
  const element = useRef(/** @type {any} */ (null));
  const text = shopWords.value.sign;
  useEffect(() => element.current?.style.setProperty("--accent-text", readable(accent, WHITE)), [accent]);
  const isReadable = contrast(accent, WHITE) >= TEXT_CONTRAST;
  return p(
    { class: "contrast", ref: element },
    span({}, isReadable ? text.accentReadable : text.accentDarkened),
  );
}
