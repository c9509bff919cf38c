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
import { computeEntry, turnTo, typeEntry } from "./till.js";

/** @typedef {import("./till.js").Till} Till */
/** @typedef {import("./till.js").Entry} Entry */
/** @typedef {import("./till.js").NumberField} NumberField */
/** @typedef {{ till: Till, line: Api.LineItem, entry: Entry, focused?: boolean, onEnd?: () => void }} EntryProps `onEnd` makes the key that ends the entry */

/** @param {EntryProps} props */
export const entryPad = (props) => component(EntryPad, props);

/** @param {EntryProps} props */
function EntryPad({ till, line, entry, focused = false, onEnd }) {
  const text = builderWords.value;
  const sum = amount(lineAmount(line, currency.value), currency.value, wordsLanguage.value);
  return div(
    { class: "entry" },
    div(
      { class: "entry-row" },
      component(NumberInput, { till, line, entry, field: "quantity", focused, onEnd }),
      span({ "aria-hidden": "true" }, "×"),
      component(NumberInput, { till, line, entry, field: "unitPrice", focused, onEnd }),
      span(
        { class: "entry-sum" },
        span({ class: "figures" }, sum),
        // What is typed may be without the tax that the line has on the document.
        span({ class: "quiet-text" }, kindOnEstimate(till.id)),
      ),
    ),
    entry.problem &&
      p({ class: "field-problem", role: "alert" }, fieldExplained(codeOf(entry))),
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

/** The first key replaces the number, unless it deletes a digit. @param {Api.LineItem} line @param {Entry} entry @param {string} typed */
function startText(line, entry, typed) {
  const isDeleting = entry.text === null && typed === "";
  return isDeleting ? shown(line[entry.field], wordsLanguage.value).slice(0, -1) : typed;
}

/** @param {Till} till @param {Entry} entry @param {(() => void) | undefined} onEnd */
function extraKeys(till, entry, onEnd) {
  const text = builderWords.value;
  const last = onEnd ? [{ label: "✓", spoken: text.done, onTap: onEnd, isEnd: true }] : [];
  return [...(entry.field === "quantity" ? quantityKeys(till) : priceKeys(till)), ...last];
}

/** @param {Till} till */
function quantityKeys(till) {
  const text = builderWords.value;
  const key = (
    /** @type {string} */ label,
    /** @type {string} */ spoken,
    /** @type {(value: number) => string} */ compute,
  ) => ({ label, spoken, onTap: () => computeEntry(till, "quantity", compute) });
  return [
    key(text.twice, words.value.common.numbers.twice, (value) => times(value, 2)),
    key(text.oneMore, text.oneMoreSpoken, (value) => plus(value, 1)),
    key(text.oneLess, text.oneLessSpoken, (value) => plus(value, -1)),
  ];
}

/** @param {Till} till */
function priceKeys(till) {
  const text = builderWords.value;
  const digits = minorDigits(currency.value);
  const key = (/** @type {string} */ label, /** @type {string} */ spoken, /** @type {number} */ by) => ({
    label,
    spoken,
    onTap: () => computeEntry(till, "unitPrice", (value) => percent(value, by, digits)),
  });
  const [twice] = quantityKeys(till);
  return [key(text.tenMore, text.tenMoreSpoken, 10), key(text.tenLess, text.tenLessSpoken, -10), twice]
    .flatMap((one) => one ?? []);
}

/** @param {EntryProps & { field: NumberField }} props */
function NumberInput({ till, line, entry, field, focused, onEnd }) {
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
        ...inputEvents(till, field, onEnd),
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

/** @param {Till} till @param {NumberField} field @param {(() => void) | undefined} onEnd */
function inputEvents(till, field, onEnd) {
  return {
    onFocus: (/** @type {any} */ { currentTarget }) => {
      turnTo(till, field);
      currentTarget.select();
    },
    onInput: (/** @type {any} */ { currentTarget }) => typeEntry(till, currentTarget.value),
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
