// Catalog, emoji and the words to search them by.

import { send } from "./client.js";

/** @typedef {import("../../../../../types/shapes.d.ts").CatalogKeywords} CatalogKeywords */
/** @typedef {import("../../../../../types/shapes.d.ts").EmojiSet} EmojiSet */
/** @typedef {import("../../../../../types/shapes.d.ts").PredefinedItemsCatalog} PredefinedItemsCatalog */

/** @returns {Promise<PredefinedItemsCatalog>} */
export async function getCatalog() {
  return (await send("GET", "/catalog")).data;
}

/** @returns {Promise<EmojiSet>} */
export async function listEmoji() {
  return (await send("GET", "/catalog/emoji")).data;
}

/** @returns {Promise<CatalogKeywords>} */
export async function listCatalogKeywords() {
  return (await send("GET", "/catalog/keywords")).data;
}
