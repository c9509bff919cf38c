// Form of a tile: the price by the keypad, the unit, the name, the picture and the colour.

import { actionButton } from "../../components/action-button.js";
import { colourField } from "../../components/colour-field.js";
import { keypad } from "../../components/keypad.js";
import { selectField } from "../../components/select-field.js";
import { kindOf } from "../../components/prices.js";
import { component, div, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { BOUNDS, percent, shown, typed } from "../../domain/numbers.js";
import { UNITS } from "../../domain/units.js";
import { words, wordsLanguage } from "../../words/words.js";
import { tileWords } from "../../words/tiles.js";
import { isTaxed } from "../../state/prices.js";
import { currency, tilePrices } from "../../state/workshops.js";
import { useLayoutEffect, useRef, useState } from "../../vendor/hooks.js";
import { Swatch, swatches } from "./swatch.js";

/** @typedef {import("../../domain/units.js").Unit} Unit */
/** @typedef {{ emoji: string, label: string, unit: Unit, unitPrice: number, backgroundColor?: string | null, iconFileId?: string | null }} Draft */
/** @typedef {{ tile: Draft, onChange: (fields: Partial<Draft>) => void, onPicture: () => void, isNew?: boolean }} TileForm */

/** @param {TileForm} props */
export const tileForm = (props) => component(Form, props);

/** @param {TileForm} props */
function Form({ tile, onChange, onPicture, isNew = false }) {
  const price = component(Price, { tile, onChange, isFocused: !isNew });
  const name = component(Name, { tile, onChange, isNew });
  return div(
    { class: "stack tile-form" },
    ...(isNew ? [name, price] : [price, name]),
    selectField({
      label: tileWords.value.counted,
      value: tile.unit,
      options: UNITS.map((value) => ({ value, label: words.value.common.units[value].long })),
      onChange: (unit) => onChange({ unit: /** @type {Unit} */ (unit) }),
    }),
    div(
      { class: "tile-look" },
      component(Swatch, { tile }),
      actionButton({ label: tileWords.value.choosePicture, icon: "smile", onClick: onPicture }),
    ),
    colourField({
      label: tileWords.value.colour,
      value: tile.backgroundColor ?? null,
      swatches: swatches(),
      none: tileWords.value.noColour,
      onChange: (backgroundColor) => onChange({ backgroundColor }),
    }),
  );
}

/** @param {{ tile: Draft, onChange: TileForm["onChange"], isNew: boolean }} props */
function Name({ tile, onChange, isNew }) {
  const text = tileWords.value;
  const [isEmpty, setEmpty] = useState(false);
  const save = (/** @type {string} */ value) => {
    // A tile without a name is refused: the last one stays until there is another.
    if (value.trim() || isNew) onChange({ label: value });
    setEmpty(!value.trim() && !isNew);
  };
  return textField({
    label: text.label,
    ...(isNew ? { help: text.labelHelp, onInput: save } : { onCommit: save }),
    ...(isEmpty ? { problem: text.labelMissing } : {}),
    value: tile.label,
    maxLength: 250,
    autofocus: isNew,
    autocomplete: "off",
  });
}

/** The first key replaces the price, as on a till. @param {{ tile: Draft, onChange: TileForm["onChange"], isFocused: boolean }} props */
function Price({ tile, onChange, isFocused }) {
  const language = wordsLanguage.value;
  const [text, setText] = useState(tile.unitPrice ? shown(tile.unitPrice, language) : "");
  const isFresh = useRef(true);
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => {
    if (isFocused) box.current?.querySelector("input")?.select();
  }, []);
  const set = (/** @type {string} */ next) => {
    const isReplaced = isFresh.current && next.length === text.length + 1 && next.startsWith(text);
    isFresh.current = false;
    const now = isReplaced ? next.slice(-1).replace(/[.,]/, "0$&") : next;
    setText(now);
    const { value } = typed(now || "0", undefined, wordsLanguage.peek());
    if (value !== null) onChange({ unitPrice: Number(value) });
  };
  const change = (/** @type {number} */ by) => set(shown(percent(tile.unitPrice, by), language));
  return div({ class: "stack", ref: box }, pricesAre(), pad(tile, text, set, change));
}

/** Whether prices are with tax, where there is one. */
function pricesAre() {
  return isTaxed.value && p({ class: "field-help" }, tileWords.value.pricesAre(kindOf(tilePrices.value)));
}

/** @param {Draft} tile @param {string} text @param {(text: string) => void} onText @param {(percent: number) => void} change */
function pad(tile, text, onText, change) {
  const { price, tenMore, tenLess } = tileWords.value;
  return keypad({
    label: price,
    text,
    onText,
    bounds: BOUNDS.unitPrice,
    unit: `${currency.value} / ${words.value.common.units[tile.unit].short}`,
    extra: [
      { label: "+10%", spoken: tenMore, onTap: () => change(10) },
      { label: "−10%", spoken: tenLess, onTap: () => change(-10) },
    ],
  });
}
