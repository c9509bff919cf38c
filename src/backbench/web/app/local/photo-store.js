// Photo store: the photos of one account that wait to be sent, with their bytes. IndexedDB, or memory where that is refused.

import { openDB } from "../vendor/idb.js";
import { photosDatabase } from "./photos-kept.js";

/** What a person says of a photo. @typedef {{kind: import("../../../../../types/shapes.d.ts").Photo["kind"], caption: string, shared: boolean}} PhotoFields */

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
 * @property {number} attempts
 * @property {number} notBefore milliseconds
 * @property {import("../api/problems.js").StoredProblem | null} problem why the server refused it
 */

/** @typedef {{all: () => Promise<WaitingPhoto[]>, put: (photo: WaitingPhoto) => Promise<unknown>, remove: (key: string) => Promise<unknown>}} PhotoStore */

const STORE = "photos";

/** @param {string} account @returns {PhotoStore} */
export function photoStore(account) {
  const memory = new Map();
  let isRefused = typeof indexedDB === "undefined";
  /** @template T @param {(database: import("../vendor/idb.js").IDBPDatabase) => Promise<T>} work @param {() => T} otherwise @returns {Promise<T>} */
  const use = async (work, otherwise) => {
    if (isRefused) return otherwise();
    try {
      return await withDatabase(account, work);
    } catch {
      // Private windows and full disks refuse it: the photos last as long as the page.
      isRefused = true;
      return otherwise();
    }
  };
  return {
    all: () => use((database) => database.getAll(STORE), () => [...memory.values()]),
    put: (photo) => {
      memory.set(photo.key, photo);
      return use((database) => database.put(STORE, photo), () => undefined);
    },
    remove: (key) => {
      memory.delete(key);
      return use((database) => database.delete(STORE, key), () => undefined);
    },
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
