// Sign: how the workshop looks in the app and on its documents. Each change is seen at once and saved as it is made.

import { boundFields, conflict, problemAt } from "../../components/bound-fields.js";
import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/controls.js";
import { colourField } from "../../components/colour-field.js";
import { emojiFor, emojiPicker, groups } from "../tiles/emoji.js";
import { frame } from "../../components/frame.js";
import { needsConnection } from "../../components/command.js";
import { sheet } from "../../components/sheet.js";
import { sign } from "../../components/sign.js";
import {
  component,
  div,
  fieldset,
  h2,
  input,
  label,
  legend,
  p,
  section,
  small,
  span,
} from "../../components/tags.js";
import { BACKGROUNDS, contrast, cssBackground, ground } from "../../domain/colours.js";
import { DEFAULT_ACCENT, mixed, readable, TEXT_CONTRAST } from "../../domain/shades.js";
import { emoji, loadCatalog } from "../../state/catalog.js";
import { editedWorkshop } from "../../state/edits.js";
import { documentSettings } from "../../state/workshops.js";
import { loadSummaries, summaries } from "../../state/summaries.js";
import { useEffect, useId, useRef, useState } from "../../vendor/hooks.js";
import { shopWords } from "../../words/shop.js";
import { words } from "../../words/words.js";
import { savedMark } from "./kit.js";

/** @typedef {import("../../state/edits.js").Edited<Api.Workshop>} SignRecord */

export function screen() {
  const record = editedWorkshop();
  const text = shopWords.value.sign;
  const look = record.value.value;
  return frame(
    { title: text.title, place: "shop", back: "/shop", actions: savedMark({ record }) },
    look && preview(look),
    p({ class: "quiet-text" }, text.intro),
    look && section({ class: "panel" }, names(record)),
    look && section({ class: "panel" }, component(BackgroundFields, { record })),
    look && section({ class: "panel" }, component(FontField, { record })),
    look && section({ class: "panel" }, component(AccentFields, { record })),
  );
}

/** The sign and the head of the paper, as they will be. @param {Api.Workshop} look */
function preview(look) {
  const text = shopWords.value.sign;
  return section(
    { class: "look-preview", "aria-label": text.preview },
    h2({ class: "spoken" }, text.preview),
    div({ class: "look-sign", inert: true }, sign({ look })),
    letterhead({ look }),
  );
}

/** @param {SignRecord} record */
function names(record) {
  const text = shopWords.value.sign;
  const field = boundFields(record, text);
  const check = (/** @type {string} */ name) => name.trim() ? undefined : text.nameMissing;
  return [
    field.text("name", { maxLength: 250, check }),
    component(LogoField, { record }),
    field.text("tagline", { maxLength: 250, empty: "" }),
    field.text("crafterName", { maxLength: 250, help: text.crafterHelp, autocomplete: "name", empty: "" }),
  ];
}

const FONTS = /** @type {const} */ (["sans", "serif", "didone", "mono", "rounded"]);

/** @param {{ record: SignRecord }} props */
function FontField({ record }) {
  const text = shopWords.value.sign;
  const look = record.value.value;
  return fieldset(
    { class: "choice" },
    legend({ class: "label" }, text.titleFont),
    div(
      { class: "fonts" },
      ...FONTS.map((font) => component(Font, { record, font, name: look?.name ?? "" })),
    ),
    conflict(record, "titleFont"),
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

/** @typedef {import("../../components/sign.js").Look} Look */

const WHITE = "#FFFFFF";
const TINT_SHARE = 0.12;

/** @param {{ look: Look & { tagline?: string } }} props */
const letterhead = (props) => component(Letterhead, props);

/** @param {Parameters<typeof letterhead>[0]} props */
function Letterhead({ look }) {
  const element = useRef(/** @type {any} */ (null));
  useEffect(() => paint(element.current, look), [look]);
  useEffect(() => void loadSummaries({}), []);
  const text = shopWords.value.sign;
  const settings = documentSettings.value;
  const contact = [settings?.address, settings?.phone, settings?.email].filter(Boolean).join("\n");
  return div(
    { class: "letterhead", ref: element, "aria-label": text.paperHead, role: "img" },
    div(
      { class: "letterhead-top" },
      settings?.showLogo !== false && span({ class: "letterhead-logo" }, look.logo),
      div(
        {},
        p({ class: "letterhead-name" }, look.name),
        look.tagline && p({ class: "letterhead-small" }, look.tagline),
      ),
      p({ class: "letterhead-small letterhead-contact" }, contact),
    ),
    p({ class: "letterhead-kind" }, text.estimate),
    p({ class: "letterhead-name" }, summaries.value[0]?.name ?? text.sample),
    span({ class: "letterhead-rule" }),
  );
}

/** @param {HTMLElement | null} element @param {Look} look */
function paint(element, look) {
  const accent = look.accentColor ?? DEFAULT_ACCENT;
  element?.style.setProperty("--accent", accent);
  element?.style.setProperty("--accent-text", readable(accent, WHITE));
  element?.style.setProperty("--accent-tint", mixed(WHITE, accent, TINT_SHARE));
  element?.style.setProperty("--title-font", `var(--title-${look.titleFont})`);
}

// Accent colour: for rules and small words on paper. Light ones are printed darker, and the screen says so.

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
function AccentFields({ record }) {
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
    conflict(record, "accentColor"),
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

// Logo: the emoji of the workshop, from a picker.

/** @param {{ record: SignRecord }} props */
function LogoField({ record }) {
  const [open, setOpen] = useState(false);
  const text = shopWords.value.sign;
  const logo = record.value.value?.logo ?? "";
  const problem = problemAt(record, "logo");
  const take = (/** @type {string} */ value) => {
    setOpen(false);
    record.save({ logo: value });
  };
  return div(
    { class: "stack" },
    div(
      { class: "logo-row" },
      span({ class: "label" }, text.logo),
      span({ class: "logo-now", "aria-hidden": "true" }, logo),
      actionButton({
        label: words.value.common.buttons.change,
        about: text.logo,
        onClick: () => setOpen(true),
      }),
    ),
    problem && p({ class: "field-problem", role: "alert" }, problem),
    conflict(record, "logo"),
    open && component(Picker, { logo, onPick: take, onClose: () => setOpen(false) }),
  );
}

/** @param {{ logo: string, onPick: (emoji: string) => void, onClose: () => void }} props */
function Picker({ logo, onPick, onClose }) {
  const text = shopWords.value.sign;
  useEffect(() => void loadCatalog(), []);
  return sheet(
    { title: text.logo, onClose },
    emoji.value === null && needsConnection(),
    emojiPicker({
      label: text.logo,
      search: text.findEmoji,
      value: logo,
      groups: groups(),
      find: emojiFor,
      none: words.value.common.nothingFound,
      onChange: onPick,
    }),
  );
}

// Background of the sign: one of the presets, or one or two colours of the workshop's own.

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
function BackgroundFields({ record }) {
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
    conflict(record, "background"),
    conflict(record, "customBackground"),
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
