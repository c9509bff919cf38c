// Catalog: items, templates and emoji, with the words to search them by. Loaded once, kept on the device.

import { call } from "../api/client.js";
import { signal } from "../vendor/signals-core.js";
import { isProblem, isTemporary } from "../api/problems.js";
import { replica } from "./outbox.js";

/** @template T @typedef {import("../vendor/signals-core.js").Signal<T>} Signal */

/** @type {Signal<Api.PredefinedItemsCatalog | null>} */
export const catalog = signal(null);
/** @type {Signal<Api.EmojiSet["emoji"] | null>} */
export const emoji = signal(null);
/** @type {Signal<Api.CatalogKeywords | null>} */
export const keywords = signal(null);

/** What is stored is shown at once, then what the server has; without either the signals stay null. */
export async function loadCatalog() {
  await Promise.all([
    loadOnce("catalog", catalog, () => call("GET /catalog")),
    loadOnce("keywords", keywords, () => call("GET /catalog/keywords")),
    loadEmoji(),
  ]);
}

/** The emoji alone, for a picker. */
export function loadEmoji() {
  return loadOnce("emoji", emoji, async () => (await call("GET /catalog/emoji")).emoji);
}

/** @type {Set<string>} */
const current = new Set();

/** What is stored is shown at once, then what the server has. @template T @param {string} name @param {Signal<T | null>} shown @param {() => Promise<T>} get */
export async function loadOnce(name, shown, get) {
  if (current.has(name)) return;
  shown.value ??= await replica.fact(name) ?? null;
  try {
    shown.value = await get();
    current.add(name);
    await replica.commit({ facts: { [name]: shown.value } });
  } catch (error) {
    if (!isProblem(error) || !(isTemporary(error) || error.status === 401)) throw error;
  }
}
