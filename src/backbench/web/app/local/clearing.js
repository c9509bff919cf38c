// Clearing: what of an account leaves this browser, and when. What could not be read is not deleted.

import { deleteLocal, inTime, openLocal } from "./database.js";
import { BYTES, DRAFTS, REPLACED } from "./memory.js";
import { countFormer, deleteFormer } from "./former-photos.js";
import { forgetPush } from "./push.js";

// The service worker names the caches of its files so.
const APP_FILES = "backbench-app-";
// Nobody waits for longer until a page is left.
const LATEST = 5_000;

/** At sign-out: everything of the account. One thing that fails keeps no other. @param {string} account */
export async function clearAccount(account) {
  const works = [deleteLocal(account), deleteFormer(account), clearCaches(), forgetPush()];
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
    const former = await countFormer(account);
    const count = former + await sealOutbox(account);
    if (!former) await deleteFormer(account);
    if (!count) await deleteLocal(account);
    return count;
  } catch {
    // Refused, closed or without an answer: errors of several names.
    return null;
  }
}

/** The number of changes and of begun texts that stay. @param {string} account */
async function sealOutbox(account) {
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
    const kept = [REPLACED, DRAFTS, BYTES];
    const dropped = [...facts.keys()].filter((key) => !kept.some((name) => key.startsWith(name)));
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
