// Swatch: how a tile looks, and the colours that keep its text readable.

import { paintTile } from "../../components/tile.js";
import { img, span } from "../../components/tags.js";
import { tileWords } from "../../words/tiles.js";

/** @typedef {keyof typeof tileWords.value.colours} ColourName */

/** Ink or paper has a contrast of 7 and more on each. @type {Record<ColourName, string>} */
const COLOURS = {
  linen: "#EFE6D6",
  sand: "#F0D9A8",
  rose: "#F3D9D2",
  sage: "#CFDAC4",
  sky: "#CFE0EE",
  ochre: "#E0A93B",
  brick: "#7E3420",
  forest: "#24452F",
  navy: "#2B3A67",
  plum: "#4A2545",
  slate: "#3A3F45",
};

export const swatches = () =>
  Object.entries(COLOURS).map(([name, value]) => ({
    value,
    label: tileWords.value.colours[/** @type {ColourName} */ (name)],
  }));

/** @param {{ tile: { emoji: string, backgroundColor?: string | null, iconFileId?: string | null } }} props */
export function Swatch({ tile }) {
  return span(
    {
      class: "tile-swatch",
      "aria-hidden": "true",
      ref: (element) => paintTile(element, tile.backgroundColor),
    },
    tile.iconFileId ? img({ src: `/api/files/${tile.iconFileId}`, alt: "" }) : tile.emoji,
  );
}
