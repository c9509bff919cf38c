// Photo store: the photos of one account that wait to be sent, with their bytes, in a database of their own.

import { openDB } from "../vendor/idb.js";
import { inTime } from "./database.js";
import { photosDatabase } from "./photos-kept.js";

/** What a person says of a photo. @typedef {{kind: Api.Photo["kind"], caption: string, shared: boolean}} PhotoFields */

/**
 * A photo that waits. `fields` are as the person has them now, `sent` as they were when it was sent first: a repetition
 * has to be the same.
 * @typedef {object} WaitingPhoto
 * @property {string} key also its Idempotency-Key, for ever
 * @property {string} orderId
 * @property {string} workshopId
 * @property {PhotoFields} fields
 * @property {PhotoFields | null} sent
 * @property {string} takenAt
 * @property {Blob} image
 * @property {number} madeAt milliseconds
 * @property {import("../api/problems.js").StoredProblem | null} problem why the server refused it
 */

const STORE = "photos";
// Many bytes on an old phone; WebKit sometimes does not answer at all.
const LATEST = 20_000;

/** All of it rejects where the browser refuses: private windows, full disks, connections that iOS has ended. @param {string} account */
export function photoStore(account) {
  /** @template T @param {(database: import("../vendor/idb.js").IDBPDatabase) => Promise<T>} work */
  const use = (work) => inTime(withDatabase(account, work), LATEST);
  return {
    /** Without the bytes. @returns {Promise<string[]>} */
    keys: () => use(async (database) => (await database.getAllKeys(STORE)).map(String)),
    /** @param {string} key @returns {Promise<WaitingPhoto | undefined>} */
    get: (key) => use((database) => database.get(STORE, key)),
    /** @param {WaitingPhoto} photo */
    put: (photo) => use((database) => database.put(STORE, photo)),
    /** @param {string} key */
    remove: (key) => use((database) => database.delete(STORE, key)),
  };
}

/** Opened for each use: iOS ends connections of pages in the background, and a sign-out deletes the database. @template T @param {string} account @param {(database: import("../vendor/idb.js").IDBPDatabase) => Promise<T>} work @returns {Promise<T>} */
async function withDatabase(account, work) {
  const database = await openDB(photosDatabase(account), 1, {
    upgrade: (made) => void made.createObjectStore(STORE, { keyPath: "key" }),
  });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}
