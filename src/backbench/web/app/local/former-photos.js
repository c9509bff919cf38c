// Former photos: those that an earlier version of the app left waiting, in a database of their own, until they are changes
// of the outbox.

import { openDB } from "../vendor/idb.js";
import { deleteDatabase, inTime } from "./database.js";
import { locked } from "./pages.js";
import { store } from "./settings.js";

/** @typedef {import("../vendor/idb.js").IDBPDatabase} Database */
/** @typedef {{kind: Api.Photo["kind"], caption: string, shared: boolean}} Fields as the person has them */
/**
 * `sent` is what its fields were when it was sent first: a repetition has to be the same.
 * @typedef {{key: string, orderId: string, workshopId: string, fields: Fields, sent: Fields | null, takenAt: string,
 *   image: Blob, madeAt: number, problem: import("../api/problems.js").StoredProblem | null}} FormerPhoto
 */

const STORE = "photos";
// How many there were, by account.
const COUNTS = "backbench-photos";
// Many bytes on an old phone.
const LATEST = 20_000;

/** @param {string} account */
const nameOf = (account) => `backbench-photos-${encodeURIComponent(account)}`;

/** @param {string} account */
export const countFormer = (account) => use(account, (database) => database.count(STORE), 0);

/** @param {string} account */
export async function deleteFormer(account) {
  store(COUNTS, undefined);
  await deleteDatabase(nameOf(account));
}

/** Hands each over to `keep`, and forgets it once that settles with true: it is stored elsewhere. @param {string} account @param {(photo: FormerPhoto) => Promise<boolean>} keep */
export function takeFormer(account, keep) {
  // No page of the earlier version sends them meanwhile.
  return locked(nameOf(account), async () => {
    for (const key of await use(account, (database) => database.getAllKeys(STORE), [])) {
      const photo = await use(account, (database) => database.get(STORE, key), undefined);
      if (photo && await keep(photo)) {
        await use(account, (database) => database.delete(STORE, key), undefined);
      }
    }
    if (!await countFormer(account)) await deleteFormer(account);
  });
}

/** Opened for each use: a sign-out deletes it. @template T @param {string} account @param {(database: Database) => Promise<T>} work @param {T} none what it is without such a database */
function use(account, work, none) {
  let isThere = true;
  const opening = openDB(nameOf(account), 1, {
    upgrade(_database, _from, _to, transaction) {
      isThere = false;
      transaction.done.catch(() => {});
      transaction.abort();
    },
  });
  const done = opening.then((database) => work(database).finally(() => database.close()));
  return inTime(
    done.catch((error) => {
      if (isThere) throw error;
      return none;
    }),
    LATEST,
  );
}
