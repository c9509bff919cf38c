// Clearing: what of an account leaves this browser, and when. What could not be read is not deleted.

import { deleteLocal, inTime, openLocal } from "./database.js";
import { DRAFTS, REPLACED } from "./memory.js";
import { photoStore } from "./photos.js";
import { deletePhotos } from "./photos-kept.js";
import { forgetPush } from "./push.js";

// The service worker names the caches of its files so.
const APP_FILES = "backbench-app-";
// Nobody waits for longer until a page is left.
const LATEST = 5_000;

/** At sign-out: everything of the account. One thing that fails keeps no other. @param {string} account */
export async function clearAccount(account) {
  const works = [deleteLocal(account), deletePhotos(account), clearCaches(), forgetPush()];
  for (const done of await Promise.allSettled(works.map((work) => inTime(work, LATEST)))) {
    if (done.status === "rejected") reportError(done.reason);
  }
}

/**
 * Where another account signs in or the session has ended: all but what was not sent, and what that needs to be sent.
 * Returns how much that is; null where it could not be read, and everything is as it was.
 * @param {string} account
 */
export async function sealAccount(account) {
  if (typeof indexedDB === "undefined") return 0;
  try {
    const photos = (await photoStore(account).keys()).length;
    const texts = await sealTexts(account);
    if (!photos) await deletePhotos(account);
    if (!photos && !texts) await deleteLocal(account);
    return photos + texts;
  } catch {
    // Refused, closed or without an answer: errors of several names.
    return null;
  }
}

/** The number of changes and of begun texts that stay. @param {string} account */
async function sealTexts(account) {
  const local = await openLocal(account);
  try {
    if (local.kind === "memory") throw new DOMException("The database cannot be opened", "UnknownError");
    const [objects, items, facts] = [
      await local.readObjects(),
      await local.readItems(),
      await local.facts(""),
    ];
    const drafts = [...facts].filter(([key]) => key.startsWith(DRAFTS)).flatMap(([, texts]) =>
      Object.values(texts)
    );
    const dropped = [...facts.keys()].filter((key) => !key.startsWith(REPLACED) && !key.startsWith(DRAFTS));
    await local.write({
      removed: objects.map(({ kind, id }) => [kind, id]),
      facts: Object.fromEntries(dropped.map((key) => [key, undefined])),
    });
    return items.length + drafts.filter((text) => text !== "").length;
  } finally {
    await local.close();
  }
}

/** Stored answers of the API, such as page images. The files of the app stay. */
async function clearCaches() {
  if (typeof caches === "undefined") return;
  for (const name of await caches.keys()) {
    if (!name.startsWith(APP_FILES)) await caches.delete(name);
  }
}
