// Tile: a priced thing to tap. How often it was tapped stands in its corner.

import { textOn } from "../domain/colours.js";
import { price } from "../domain/format.js";
import { builderWords } from "../words/builder.js";
import { words, wordsLanguage } from "../words/words.js";
import { connection } from "../state/connection.js";
import { currency } from "../state/workshops.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { button, component, img, kbd, span } from "./tags.js";

/** @typedef {{ id?: string, emoji?: string, label: string, unit: string, unitPrice: number, backgroundColor?: string | null, iconFileId?: string | null }} TileLook */

/** Small tiles with a word longer than this stand in fewer columns. */
const LONG_WORD = 11;

/** @param {{ tile: TileLook, count?: string, onTap: () => void, digit?: string }} props `digit` is its key on a keyboard */
export function tile({ tile: shown, count, onTap, digit }) {
  const unit = words.value.common.units[/** @type {"piece"} */ (shown.unit)];
  return button(
    {
      class: longestWord(shown.label) > LONG_WORD ? "tile long" : "tile",
      type: "button",
      onClick: onTap,
      ref: (element) => paintTile(element, shown.backgroundColor),
    },
    span(
      { class: "tile-picture", "aria-hidden": "true" },
      shown.iconFileId
        ? component(Photo, { fileId: shown.iconFileId, emoji: shown.emoji ?? "" })
        : shown.emoji,
    ),
    span({ class: "tile-label", lang: wordsLanguage.value }, shown.label),
    span(
      { class: "tile-price" },
      shown.unitPrice === 0 ? "…" : price(shown.unitPrice, currency.value, wordsLanguage.value),
      shown.unit !== "freeform" && ` / ${unit.short}`,
    ),
    count !== undefined && span({ class: "spoken" }, `, ${builderWords.value.counted}: `),
    count !== undefined && span({ class: "tile-count" }, count),
    digit && kbd({ class: "tile-digit", "aria-hidden": "true" }, digit),
  );
}

/** The photo of a tile; its emoji while the photo cannot be loaded. @param {{ fileId: string, emoji: string }} props */
function Photo({ fileId, emoji }) {
  const [isMissing, setMissing] = useState(false);
  const { online } = connection.value;
  useEffect(() => setMissing(false), [fileId, online]);
  if (isMissing) return span({}, emoji);
  return img({
    src: `/api/files/${fileId}`,
    alt: "",
    loading: "lazy",
    width: 44,
    height: 44,
    onError: () => setMissing(true),
  });
}

/** The letters of the longest word. @param {string} label */
function longestWord(label) {
  return Math.max(1, ...label.split(/[\s/-]+/).map((word) => word.length));
}

/** @param {HTMLElement | null} element @param {string | null} [colour] */
export function paintTile(element, colour) {
  if (!element) return;
  if (colour) {
    element.style.setProperty("--tile-ground", colour);
    element.style.setProperty("--tile-text", textOn(colour));
  } else {
    element.style.removeProperty("--tile-ground");
    element.style.removeProperty("--tile-text");
  }
}
