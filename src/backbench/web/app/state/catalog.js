// Catalog: items, templates and emoji, with the words to search them by. Loaded once, kept on the device.

import { call } from "../api/client.js";
import { signal } from "../vendor/signals-core.js";
import { replica } from "./outbox.js";
import { softly } from "./records.js";

/** @template T @typedef {import("../vendor/signals-core.js").Signal<T>} Signal */

/** @type {Signal<Api.PredefinedItemsCatalog | null>} */
export const catalog = signal(null);
/** @type {Signal<Api.EmojiSet["emoji"] | null>} */
export const emoji = signal(null);
/** @type {Signal<Api.CatalogKeywords | null>} */
export const keywords = signal(null);

/** What is stored is shown at once, then what the server has. Throws Problem. */
export async function readCatalog() {
  await Promise.all([
    readOnce("catalog", catalog, () => call("GET /catalog")),
    readOnce("keywords", keywords, () => call("GET /catalog/keywords")),
    readOnce("emoji", emoji, async () => (await call("GET /catalog/emoji")).emoji),
  ]);
}

/** The same; without a connection, what is not stored stays null. */
export const loadCatalog = () => softly(readCatalog);

/** The emoji alone, for a picker. */
export function loadEmoji() {
  return loadOnce("emoji", emoji, async () => (await call("GET /catalog/emoji")).emoji);
}

/** @type {Set<string>} */
const current = new Set();

/** What is stored is shown at once, then what the server has. @template T @param {string} name @param {Signal<T | null>} shown @param {() => Promise<T>} get */
export const loadOnce = (name, shown, get) => softly(() => readOnce(name, shown, get));

/** Throws Problem. @template T @param {string} name @param {Signal<T | null>} shown @param {() => Promise<T>} get */
async function readOnce(name, shown, get) {
  if (current.has(name)) return;
  shown.value ??= await replica.fact(name) ?? null;
  shown.value = await get();
  current.add(name);
  await replica.commit({ facts: { [name]: shown.value } });
}
