// Clearing: what of an account leaves this browser, and when.

import { deleteLocal, openLocal } from "./database.js";

// The service worker names the caches of its files so.
const APP_FILES = "backbench-app-";

/** At sign-out: everything of the account. @param {string} account */
export async function clearAccount(account) {
  await deleteLocal(account);
  await clearCaches();
}

/**
 * At sign-in of another account: all but what the first one has not sent. Returns the number of these changes.
 * @param {string} account
 */
export async function sealAccount(account) {
  const local = await openLocal(account);
  const items = await local.readItems();
  const objects = await local.readObjects();
  if (items.length) await local.write({ removed: objects.map(({ kind, id }) => [kind, id]) });
  await local.close();
  if (!items.length) await deleteLocal(account);
  return items.length;
}

/** Stored answers of the API, such as page images. The files of the app stay. */
async function clearCaches() {
  if (typeof caches === "undefined") return;
  for (const name of await caches.keys()) {
    if (!name.startsWith(APP_FILES)) await caches.delete(name);
  }
}
