// Entry: quantity and price of a line, and the keys that type them.

import { amount } from "../../domain/format.js";
import { BOUNDS, percent, plus, shown, times } from "../../domain/numbers.js";
import { minorDigits } from "../../domain/currencies.js";
import { lineAmount } from "../../domain/money.js";
import { keys } from "../../components/keypad.js";
import { kindOnEstimate } from "../../components/prices.js";
import { component, div, input, label as labelTag, p, span } from "../../components/tags.js";
import { fieldExplained } from "../../words/problems.js";
import { builderWords } from "../../words/builder.js";
import { unitOf, words, wordsLanguage } from "../../words/words.js";
import { currency } from "../../state/workshops.js";
import { useLayoutEffect, useRef } from "../../vendor/hooks.js";
import { computeEntry, turnTo, typeEntry } from "./editing.js";

/** @typedef {import("./editing.js").Editing} Editing */
/** @typedef {import("./editing.js").Entry} Entry */
/** @typedef {import("./editing.js").NumberField} NumberField */
/** @typedef {{ editing: Editing, line: Api.LineItem, entry: Entry, focused?: boolean, onEnd?: () => void }} EntryProps `onEnd` makes the key that ends the entry */

/** @param {EntryProps} props */
export const entryPad = (props) => component(EntryPad, props);

/** @param {EntryProps} props */
function EntryPad({ editing, line, entry, focused = false, onEnd }) {
  const text = builderWords.value;
  const sum = amount(lineAmount(line, currency.value), currency.value, wordsLanguage.value);
  return div(
    { class: "entry" },
    div(
      { class: "entry-row" },
      component(NumberInput, { editing, line, entry, field: "quantity", focused, onEnd }),
      span({ "aria-hidden": "true" }, "×"),
      component(NumberInput, { editing, line, entry, field: "unitPrice", focused, onEnd }),
      span(
        { class: "entry-sum" },
        span({ class: "figures" }, sum),
        // What is typed may be without the tax that the line has on the document.
        span({ class: "quiet-text" }, kindOnEstimate(editing.id)),
      ),
    ),
    entry.problem &&
      p({ class: "field-problem", role: "alert" }, fieldExplained(codeOf(entry))),
    keys({
      label: entry.field === "quantity" ? text.quantity : text.price,
      text: entry.text ?? shown(line[entry.field], wordsLanguage.value),
      isFresh: entry.text === null,
      bounds: BOUNDS[entry.field],
      onText: (text) => typeEntry(editing, text),
      extra: extraKeys(editing, entry, onEnd),
    }),
  );
}

/** @param {Entry} entry */
function codeOf({ problem }) {
  return { pointer: "", code: problem ?? "" };
}

/** @param {Editing} editing @param {Entry} entry @param {(() => void) | undefined} onEnd */
function extraKeys(editing, entry, onEnd) {
  const text = builderWords.value;
  const last = onEnd ? [{ label: "✓", spoken: text.done, onTap: onEnd, isEnd: true }] : [];
  return [...(entry.field === "quantity" ? quantityKeys(editing) : priceKeys(editing)), ...last];
}

/** @param {Editing} editing */
function quantityKeys(editing) {
  const text = builderWords.value;
  const key = (
    /** @type {string} */ label,
    /** @type {string} */ spoken,
    /** @type {(value: number) => string} */ compute,
  ) => ({ label, spoken, onTap: () => computeEntry(editing, "quantity", compute) });
  return [
    key(text.twice, words.value.common.numbers.twice, (value) => times(value, 2)),
    key(text.oneMore, text.oneMoreSpoken, (value) => plus(value, 1)),
    key(text.oneLess, text.oneLessSpoken, (value) => plus(value, -1)),
  ];
}

/** @param {Editing} editing */
function priceKeys(editing) {
  const text = builderWords.value;
  const digits = minorDigits(currency.value);
  const key = (/** @type {string} */ label, /** @type {string} */ spoken, /** @type {number} */ by) => ({
    label,
    spoken,
    onTap: () => computeEntry(editing, "unitPrice", (value) => percent(value, by, digits)),
  });
  const [twice] = quantityKeys(editing);
  return [key(text.tenMore, text.tenMoreSpoken, 10), key(text.tenLess, text.tenLessSpoken, -10), twice]
    .flatMap((one) => one ?? []);
}

/** @param {EntryProps & { field: NumberField }} props */
function NumberInput({ editing, line, entry, field, focused, onEnd }) {
  const isActive = entry.field === field;
  const isQuantity = field === "quantity";
  const builder = builderWords.value;
  const element = useFocused(isActive && focused === true, line.id, entry);
  return labelTag(
    { class: isActive ? "entry-field active" : "entry-field" },
    span({ class: "quiet-text" }, isQuantity ? builder.quantity : builder.price),
    span(
      { class: "entry-value" },
      input({
        ref: element,
        inputMode: "none",
        autocomplete: "off",
        value: isActive && entry.text !== null ? entry.text : number(line[field], field, wordsLanguage.value),
        ...inputEvents(editing, field, onEnd),
      }),
      isQuantity && line.unit !== "freeform" &&
        span({ class: "quiet-text" }, unitOf(line.quantity, line.unit)),
    ),
  );
}

/** Before the paint: the next digit may have been typed already, and belongs here. @param {boolean} isFocused @param {string} lineId @param {Entry} entry */
function useFocused(isFocused, lineId, entry) {
  const element = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => {
    const field = element.current;
    if (!isFocused || !field) return;
    field.focus();
    // A digit that began the entry stays: the next one follows it.
    if (entry.text === null) field.select();
    else field.setSelectionRange(field.value.length, field.value.length);
  }, [isFocused, lineId]);
  return element;
}

/** @param {Editing} editing @param {NumberField} field @param {(() => void) | undefined} onEnd */
function inputEvents(editing, field, onEnd) {
  return {
    onFocus: (/** @type {any} */ { currentTarget }) => {
      turnTo(editing, field);
      currentTarget.select();
    },
    onInput: (/** @type {any} */ { currentTarget }) => typeEntry(editing, currentTarget.value),
    onKeyDown: (/** @type {any} */ event) => {
      if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
      // It is not a press of the tile, too, that gets the focus.
      event.preventDefault();
      event.currentTarget.blur();
      onEnd?.();
    },
  };
}

/** @param {number} value @param {NumberField} field @param {string} language */
function number(value, field, language) {
  if (field === "quantity") return shown(value, language);
  const [whole, fraction = ""] = shown(value, language).split(/[.,]/);
  const digits = fraction.padEnd(minorDigits(currency.value), "0");
  return digits ? `${whole}${language === "pl" ? "," : "."}${digits}` : String(whole);
}
