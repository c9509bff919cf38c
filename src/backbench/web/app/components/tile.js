// Tile: a priced thing to tap. How often it was tapped stands in its corner.

import { textOn } from "../domain/colours.js";
import { price } from "../domain/format.js";
import { words, wordsLanguage } from "../i18n/index.js";
import { currency } from "../state/workshops.js";
import { button, img, kbd, span } from "./tags.js";

/** @typedef {{ id?: string, emoji?: string, label: string, unit: string, unitPrice: number, backgroundColor?: string | null, iconFileId?: string | null }} TileLook */

/** @param {{ tile: TileLook, count?: string, onTap: () => void, digit?: string }} props `digit` is its key on a keyboard */
export function tile({ tile: shown, count, onTap, digit }) {
  const unit = words.value.common.units[/** @type {"piece"} */ (shown.unit)];
  return button(
    {
      class: "tile",
      type: "button",
      onClick: onTap,
      ref: (element) => paintTile(element, shown.backgroundColor),
    },
    span(
      { class: "tile-picture", "aria-hidden": "true" },
      shown.iconFileId ? picture(shown.iconFileId) : shown.emoji,
    ),
    span({ class: "tile-label" }, shown.label),
    span(
      { class: "tile-price" },
      shown.unitPrice === 0 ? "…" : price(shown.unitPrice, currency.value, wordsLanguage.value),
      shown.unit !== "freeform" && ` / ${unit.short}`,
    ),
    count !== undefined && span({ class: "tile-count" }, count),
    digit && kbd({ class: "tile-digit" }, digit),
  );
}

/** @param {string} fileId */
const picture = (fileId) =>
  img({ src: `/api/files/${fileId}`, alt: "", loading: "lazy", width: 44, height: 44 });

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
