// Background of the sign: one of the presets, or one or two colours of the workshop's own.

import { choice } from "../../../components/choice.js";
import { colourField } from "../../../components/colour-field.js";
import { component, div, input, label, p } from "../../../components/tags.js";
import { BACKGROUNDS, cssBackground, ground } from "../../../domain/backgrounds.js";
import { shopWords } from "../../../words/shop.js";
import { useId } from "../../../vendor/hooks.js";
import { problemAt, recordConflict } from "../../../components/record-fields.js";

/** @typedef {import("../sign.js").Record} SignRecord */
/** @typedef {NonNullable<Api.Workshop["customBackground"]>} Custom */
/** @typedef {keyof typeof shopWords.value.sign.backgrounds} Preset */

const KINDS = /** @type {const} */ (["preset", "solid", "gradient"]);
// From below, the corners and the left; the other four are these with the colours exchanged.
const ANGLES = /** @type {const} */ ({ 0: "↑", 45: "↗", 90: "→", 135: "↘", 180: "↓" });
const FIRST = /** @type {Record<"solid" | "gradient", Custom>} */ ({
  solid: { kind: "solid", color: "#2B3A67" },
  gradient: { kind: "gradient", from: "#F1E4CE", to: "#D8BC93", angle: 135 },
});

/** @param {{ record: SignRecord }} props */
export function BackgroundFields({ record }) {
  const text = shopWords.value.sign;
  const custom = record.value.value?.customBackground ?? null;
  const problem = problemAt(record, "customBackground") ?? problemAt(record, "background");
  const set = (/** @type {Custom | null} */ value) => record.save({ customBackground: value });
  return [
    choice({
      label: text.backgroundKind,
      value: custom?.kind ?? "preset",
      options: KINDS.map((value) => ({ value, label: text.backgroundKinds[value] })),
      onChange: (kind) => set(kind === "preset" ? null : FIRST[kind]),
    }),
    custom === null && presets(record),
    custom?.kind === "solid" &&
    component(Colour, {
      label: text.colour,
      value: custom.color,
      onChange: (color) => set({ kind: "solid", color }),
    }),
    custom?.kind === "gradient" && gradient(custom, set),
    problem && p({ class: "field-problem", role: "alert" }, problem),
    recordConflict({
      record,
      name: "background",
      show: (name) => text.backgrounds[/** @type {Preset} */ (name)],
    }),
    recordConflict({ record, name: "customBackground", show: shown }),
  ];
}

/** @param {SignRecord} record */
function presets(record) {
  const text = shopWords.value.sign;
  const colours = BACKGROUNDS.map((name) => ({
    value: cssBackground(ground({ background: name })),
    label: text.backgrounds[/** @type {Preset} */ (name)],
  }));
  return colourField({
    label: text.background,
    value: cssBackground(ground({ background: record.value.value?.background ?? "paper" })),
    swatches: colours,
    onChange: (value) => {
      const name = BACKGROUNDS[colours.findIndex((each) => each.value === value)];
      record.save({ background: /** @type {Preset} */ (name) });
    },
  });
}

/** @param {Extract<Custom, { kind: "gradient" }>} custom @param {(custom: Custom) => void} set */
function gradient(custom, set) {
  const text = shopWords.value.sign;
  return div(
    { class: "stack" },
    component(Colour, { label: text.from, value: custom.from, onChange: (from) => set({ ...custom, from }) }),
    component(Colour, { label: text.to, value: custom.to, onChange: (to) => set({ ...custom, to }) }),
    choice({
      label: text.direction,
      value: String(custom.angle),
      options: directions(custom.angle),
      onChange: (angle) => set({ ...custom, angle: Number(angle) }),
    }),
  );
}

/** The usual directions, and the one that is set if it is another. @param {number} angle */
function directions(angle) {
  const usual = Object.entries(ANGLES).map(([value, arrow]) => ({ value, label: arrow }));
  const isUsual = angle in ANGLES;
  return isUsual ? usual : [...usual, { value: String(angle), label: `${angle}°` }];
}

/** @param {{ label: string, value: string, onChange: (value: string) => void }} props */
function Colour({ label: name, value, onChange }) {
  const id = useId();
  return div(
    { class: "colour-own" },
    label({ for: id }, name),
    input({
      id,
      type: "color",
      value,
      onChange: (event) => onChange(event.currentTarget.value.toUpperCase()),
    }),
  );
}

/** @param {Custom} custom */
const shown = (custom) => custom.kind === "solid" ? custom.color : `${custom.from} – ${custom.to}`;
