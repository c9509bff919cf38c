// Entry: quantity and price of a line, and the keys that type them.

import { amount } from "../../domain/format.js";
import { BOUNDS, percent, plus, shown, times } from "../../domain/numbers.js";
import { minorDigits } from "../../domain/currencies.js";
import { lineAmount } from "../../domain/money.js";
import { keys } from "../../components/keypad.js";
import { component, div, input, label as labelTag, p, span } from "../../components/tags.js";
import { fieldExplained } from "../../i18n/problems.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { currency } from "../../state/workshops.js";
import { useEffect, useRef } from "../../vendor/hooks.js";
import { computeEntry, turnTo, typeEntry } from "./till.js";

/** @typedef {import("./till.js").Till} Till */
/** @typedef {import("./till.js").Entry} Entry */
/** @typedef {import("./till.js").NumberField} NumberField */
/** @typedef {import("../../../../../../types/shapes.d.ts").LineItem} LineItem */
/** @typedef {{ till: Till, line: LineItem, entry: Entry, focused?: boolean, onEnd?: () => void }} EntryProps `onEnd` makes the key that ends the entry */

/** @param {EntryProps} props */
export const entryPad = (props) => component(EntryPad, props);

/** @param {EntryProps} props */
function EntryPad({ till, line, entry, focused = false, onEnd }) {
  const text = words.value.builder;
  const sum = amount(lineAmount(line, currency.value), currency.value, wordsLanguage.value);
  return div(
    { class: "entry" },
    div(
      { class: "entry-row" },
      component(NumberInput, { till, line, entry, field: "quantity", focused, onEnd }),
      span({ "aria-hidden": "true" }, "×"),
      component(NumberInput, { till, line, entry, field: "unitPrice", focused, onEnd }),
      span({ class: "entry-sum figures" }, sum),
    ),
    entry.problem &&
      p({ class: "field-problem", role: "alert" }, fieldExplained(codeOf(entry), words.value.common)),
    keys({
      label: entry.field === "quantity" ? text.quantity : text.price,
      text: entry.text ?? "",
      bounds: BOUNDS[entry.field],
      onText: (typed) => typeEntry(till, startText(line, entry, typed)),
      extra: extraKeys(till, entry, onEnd),
    }),
  );
}

/** @param {Entry} entry */
function codeOf({ problem }) {
  return { pointer: "", code: problem ?? "" };
}

/** The first key replaces the number, unless it deletes a digit. @param {LineItem} line @param {Entry} entry @param {string} typed */
function startText(line, entry, typed) {
  const isDeleting = entry.text === null && typed === "";
  return isDeleting ? shown(line[entry.field], wordsLanguage.value).slice(0, -1) : typed;
}

/** @param {Till} till @param {Entry} entry @param {(() => void) | undefined} onEnd */
function extraKeys(till, entry, onEnd) {
  const text = words.value.builder;
  const quantity = (/** @type {(value: number) => string} */ compute) => () =>
    computeEntry(till, "quantity", compute);
  const price = (/** @type {number} */ by) => () =>
    computeEntry(till, "unitPrice", (value) => percent(value, by, minorDigits(currency.value)));
  const last = onEnd ? [{ label: "✓", spoken: text.done, onTap: onEnd }] : [];
  if (entry.field === "quantity") {
    return [
      {
        label: text.twice,
        spoken: words.value.common.numbers.twice,
        onTap: quantity((value) => times(value, 2)),
      },
      { label: text.oneMore, spoken: text.oneMoreSpoken, onTap: quantity((value) => plus(value, 1)) },
      { label: text.oneLess, spoken: text.oneLessSpoken, onTap: quantity((value) => plus(value, -1)) },
      ...last,
    ];
  }
  const none = {
    label: text.twice,
    spoken: words.value.common.numbers.twice,
    onTap: quantity((value) => times(value, 2)),
  };
  return [
    { label: text.tenMore, spoken: text.tenMoreSpoken, onTap: price(10) },
    { label: text.tenLess, spoken: text.tenLessSpoken, onTap: price(-10) },
    none,
    ...last,
  ];
}

/** @param {EntryProps & { field: NumberField }} props */
function NumberInput({ till, line, entry, field, focused, onEnd }) {
  const element = useRef(/** @type {HTMLInputElement | null} */ (null));
  const isActive = entry.field === field;
  const language = wordsLanguage.value;
  const text = words.value.builder;
  const unit = field === "quantity" && line.unit !== "freeform"
    ? words.value.common.units[line.unit].short
    : "";
  useEffect(() => {
    if (isActive && focused) element.current?.select();
  }, [isActive, line.id]);
  const value = isActive && entry.text !== null ? entry.text : number(line[field], field, language);
  return labelTag(
    { class: isActive ? "entry-field active" : "entry-field" },
    span({ class: "quiet-text" }, field === "quantity" ? text.quantity : text.price),
    span(
      { class: "entry-value" },
      input({
        ref: element,
        inputMode: "none",
        autocomplete: "off",
        value,
        onFocus: (event) => {
          turnTo(till, field);
          event.currentTarget.select();
        },
        onInput: (event) => typeEntry(till, event.currentTarget.value),
        onKeyDown: (event) => {
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
          event.currentTarget.blur();
          onEnd?.();
        },
      }),
      unit && span({ class: "quiet-text" }, unit),
    ),
  );
}

/** @param {number} value @param {NumberField} field @param {string} language */
function number(value, field, language) {
  if (field === "quantity") return shown(value, language);
  const [whole, fraction = ""] = shown(value, language).split(/[.,]/);
  const digits = fraction.padEnd(minorDigits(currency.value), "0");
  return digits ? `${whole}${language === "pl" ? "," : "."}${digits}` : String(whole);
}
