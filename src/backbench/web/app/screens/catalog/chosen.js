// Chosen: the items of the catalog that were ticked, and tiles made of items.

import { newId } from "../../domain/ids.js";
import { wordsLanguage } from "../../i18n/index.js";
import { addFromCatalog, addTile, createGrid } from "../../state/grids.js";
import { connection } from "../../state/connection.js";
import { signal } from "../../vendor/signals.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").PredefinedGridItem} Item */
/** @typedef {import("../../state/grids.js").Grid} Grid */

/** In the order in which they were ticked. */
export const chosen = signal(/** @type {Item[]} */ ([]));

/** @param {Item} item */
export function turn(item) {
  const others = chosen.value.filter(({ id }) => id !== item.id);
  chosen.value = others.length === chosen.value.length ? [...others, item] : others;
}

/** @param {Item} item */
const tileOf = ({ emoji, label, unit }) => ({ emoji, label: label[wordsLanguage.value], unit, unitPrice: 0 });

/** Works without a connection: the tiles are there at once. Returns the id. @param {string} name @param {Item[]} items */
export function gridOf(name, items) {
  const buttons = items.map((item) => ({ ...tileOf(item), id: newId() }));
  return createGrid({ name, iconSize: "medium", buttons });
}

/** All in one request, or one by one later where there is no connection. Throws Problem. @param {Grid} grid @param {Item[]} items */
export async function addItems(grid, items) {
  if (!connection.value.online) return items.forEach((item) => void addTile(grid.id, tileOf(item)));
  await addFromCatalog(grid.id, { itemIds: items.map(({ id }) => id), locale: wordsLanguage.value });
}
