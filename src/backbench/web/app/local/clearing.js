// Clearing: what of an account leaves this browser, and when.

import { deleteLocal, openLocal } from "./database.js";
import { REPLACED } from "./memory.js";
import { deletePhotos, waitingPhotos } from "./photos-kept.js";

// The service worker names the caches of its files so.
const APP_FILES = "backbench-app-";

/** At sign-out: everything of the account. Where the browser refuses one part, the others go. @param {string} account */
export async function clearAccount(account) {
  const cleared = await Promise.allSettled([
    deleteLocal(account),
    deletePhotos(account),
    clearCaches(),
    import("./push.js").then(({ forgetPush }) => forgetPush()),
  ]);
  const refused = cleared.find((one) => one.status === "rejected");
  if (refused) throw refused.reason;
}

/**
 * Where another account signs in or the session has ended: all but what was not sent, and what that needs to be sent.
 * Returns the number of these changes.
 * @param {string} account
 */
export async function sealAccount(account) {
  const local = await openLocal(account);
  const items = await local.readItems();
  const waiting = items.length + waitingPhotos(account);
  if (waiting) {
    const [objects, facts] = [await local.readObjects(), await local.facts("")];
    const dropped = [...facts.keys()].filter((key) => !key.startsWith(REPLACED));
    await local.write({
      removed: objects.map(({ kind, id }) => [kind, id]),
      facts: Object.fromEntries(dropped.map((key) => [key, undefined])),
    });
  }
  await local.close();
  if (!waiting) await deleteLocal(account);
  return waiting;
}

/** Stored answers of the API, such as page images. The files of the app stay. */
async function clearCaches() {
  if (typeof caches === "undefined") return;
  for (const name of await caches.keys()) {
    if (!name.startsWith(APP_FILES)) await caches.delete(name);
  }
}
