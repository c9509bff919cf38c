// Chosen: the items of the catalog that were ticked, and tiles made of items.

import { newId } from "../../domain/ids.js";
import { wordsLanguage } from "../../words/words.js";
import { addFromCatalog, addTile, createGrid } from "../../state/grids.js";
import { connection } from "../../state/connection.js";
import { signal } from "../../vendor/signals.js";

/** In the order in which they were ticked. */
export const chosen = signal(/** @type {Api.PredefinedGridItem[]} */ ([]));

/** @param {Api.PredefinedGridItem} item */
export function turn(item) {
  const others = chosen.value.filter(({ id }) => id !== item.id);
  chosen.value = others.length === chosen.value.length ? [...others, item] : others;
}

/** @param {Api.PredefinedGridItem} item */
const tileOf = ({ emoji, label, unit }) => ({ emoji, label: label[wordsLanguage.value], unit, unitPrice: 0 });

/** Works without a connection: the tiles are there at once. Returns the id. @param {string} name @param {Api.PredefinedGridItem[]} items */
export function gridOf(name, items) {
  const buttons = items.map((item) => ({ ...tileOf(item), id: newId() }));
  return createGrid({ name, iconSize: "medium", buttons });
}

/** All in one request, or one by one later where there is no connection. Throws Problem. @param {Api.Grid} grid @param {Api.PredefinedGridItem[]} items */
export async function addItems(grid, items) {
  if (!connection.value.online) return items.forEach((item) => void addTile(grid.id, tileOf(item)));
  await addFromCatalog(grid.id, { itemIds: items.map(({ id }) => id), locale: wordsLanguage.value });
}
