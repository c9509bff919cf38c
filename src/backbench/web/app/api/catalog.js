// Catalog, emoji and the words to search them by.

import { send } from "./client.js";

/** @returns {Promise<Api.PredefinedItemsCatalog>} */
export async function getCatalog() {
  return (await send("GET", "/catalog")).data;
}

/** @returns {Promise<Api.EmojiSet>} */
export async function listEmoji() {
  return (await send("GET", "/catalog/emoji")).data;
}

/** @returns {Promise<Api.CatalogKeywords>} */
export async function listCatalogKeywords() {
  return (await send("GET", "/catalog/keywords")).data;
}
