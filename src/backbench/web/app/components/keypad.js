// Keypad: digits for gloves and dirty hands. The field above it takes a keyboard, and screen readers.

import { pressed } from "../domain/numbers.js";
import { words, wordsLanguage } from "../words/words.js";
import { button, div, icon, input, label as labelTag, p, span } from "./tags.js";

/** @typedef {import("../domain/numbers.js").Key} Key */
/** @typedef {{ label: string, text: string, isFresh?: boolean, onText: (text: string) => void, bounds: { least: string, most: string }, unit?: string, problem?: string, extra?: readonly { label: string, onTap: () => void, spoken?: string, isEnd?: boolean }[] }} Keypad */

const DIGITS = /** @type {const} */ (["7", "8", "9", "4", "5", "6", "1", "2", "3"]);

/** `text` is what was typed so far, or the number that the first key replaces: `isFresh`. `extra` are up to four keys of the right column, such as ×2. @param {Keypad} props */
export function keypad({ label, text, isFresh = false, onText, bounds, unit, problem, extra = [] }) {
  return div(
    { class: "stack" },
    value({ label, text, onText, unit, problem }),
    problem && p({ class: "field-problem", role: "alert" }, problem),
    keys({ label, text, isFresh, onText, bounds, extra }),
  );
}

/** The keys alone, for a field that stands elsewhere. @param {Omit<Keypad, "unit">} props */
export function keys({ label, text, isFresh = false, onText, bounds, extra = [] }) {
  const press = (/** @type {Key} */ key) =>
    onText(pressed(isFresh && key !== "back" ? "" : text, key, wordsLanguage.value, bounds));
  const { numbers } = words.value.common;
  const comma = wordsLanguage.value === "pl" ? "," : ".";
  const digits = DIGITS.map((digit) => keyOf(digit, () => press(digit)));
  const rows = [0, 3, 6].flatMap((at, row) => [...digits.slice(at, at + 3), extraKey(extra[row])]);
  return div(
    { class: "keypad", role: "group", "aria-label": label },
    ...rows,
    keyOf(comma, () => press("decimal"), numbers.decimal),
    keyOf("0", () => press("0")),
    keyOf(icon("delete"), () => press("back"), numbers.back, "keypad-key second"),
    extraKey(extra[3]),
  );
}

/** What was typed so far. @param {Pick<Keypad, "label" | "text" | "onText" | "unit" | "problem">} props */
function value({ label, text, onText, unit, problem }) {
  return labelTag(
    { class: "keypad-value" },
    span({ class: "quiet-text" }, label),
    input({
      inputMode: "none",
      autocomplete: "off",
      value: text,
      "aria-invalid": problem ? "true" : undefined,
      onInput: (event) => onText(event.currentTarget.value),
    }),
    unit && span({ class: "quiet-text" }, unit),
  );
}

/** @param {import("./tags.js").ComponentChildren} content @param {() => void} onTap @param {string} [spoken] @param {string} [kind] */
function keyOf(content, onTap, spoken, kind = "keypad-key") {
  return button({ class: kind, type: "button", "aria-label": spoken, onClick: onTap }, content);
}

/** @param {{ label: string, onTap: () => void, spoken?: string, isEnd?: boolean }} [key] */
function extraKey(key) {
  return key
    ? keyOf(key.label, key.onTap, key.spoken, key.isEnd ? "keypad-key end" : "keypad-key second")
    : null;
}
