// Local database: what this browser stores for one account. IndexedDB, or memory where that is refused.

import { deleteDB, openDB } from "../vendor/idb.js";
import { BYTES, memoryLocal } from "./memory.js";

/** @typedef {import("./memory.js").Local} Local */
/** @typedef {import("./memory.js").Write} Write */
/** @typedef {import("../vendor/idb.js").IDBPDatabase} Database */

const PREFIX = "backbench-";
const VERSION = 1;
// WebKit sometimes neither opens a database nor says why: the app goes on without it.
const LATEST = 4_000;
// What is many rows on an old phone.
const LONGEST = 60_000;

/** @param {string} account */
function databaseName(account) {
  return PREFIX + encodeURIComponent(account);
}

/**
 * The local database of an account.
 * @param {string} account
 * @param {number} [latest] milliseconds after which an operation has failed
 * @returns {Promise<Local>}
 */
export async function openLocal(account, latest = LATEST) {
  try {
    return await indexedLocal(account, latest);
  } catch {
    // Private windows and blocked storage refuse IndexedDB with errors of several names: the app works without it.
    return memoryLocal();
  }
}

/** @param {string} account */
export function deleteLocal(account) {
  return deleteDatabase(databaseName(account));
}

/** A page that was put to sleep may keep it open: then it goes with that page, or after the next start of the app. @param {string} name */
export async function deleteDatabase(name) {
  if (typeof indexedDB !== "undefined") await inTime(deleteDB(name), LATEST).catch(() => {});
}

/** The accounts that have left a database in this browser, as far as it says. @returns {Promise<string[]>} */
export async function accountsHere() {
  if (typeof indexedDB === "undefined" || !indexedDB.databases) return [];
  const found = await inTime(indexedDB.databases(), LATEST).catch(() => []);
  const names = found.flatMap(({ name = "" }) => /^backbench-(?:photos-)?(.+%40.+)$/.exec(name)?.[1] ?? []);
  return [...new Set(names.map(decodeURIComponent))];
}

/** @param {string} account @param {number} latest @returns {Promise<Local>} */
async function indexedLocal(account, latest) {
  const { use, close } = connection(databaseName(account), latest);
  await use(() => Promise.resolve());
  return {
    kind: "indexeddb",
    readObjects: () => use((database) => database.getAll("objects"), LONGEST),
    readObject: (kind, id) => use((database) => database.get("objects", [kind, id])),
    readItems: () => use((database) => database.getAll("outbox"), LONGEST),
    fact: async (key) => (await use((database) => database.get("facts", key)))?.value,
    facts: (prefix) => use((database) => factsOf(database, prefix), LONGEST),
    write: (change) => use((database) => writeTo(database, change)),
    close,
  };
}

/**
 * Runs work with the open database; once more with a new connection where the browser had ended the last one, as iOS and
 * another page's deletion do.
 * @param {string} name @param {number} latest
 */
function connection(name, latest) {
  const { state, open, forget } = opening(name);
  /** @template T @param {(database: Database) => Promise<T>} work @param {number} longest @returns {Promise<T>} */
  const attempt = (work, longest) => inTime(Promise.resolve().then(open).then(work), longest);
  return {
    /** @template T @param {(database: Database) => Promise<T>} work @param {number} [longest] milliseconds @returns {Promise<T>} */
    use: async (work, longest = latest) => {
      const isFirst = state.opened === null;
      try {
        return await attempt(work, longest);
      } catch (error) {
        forget();
        // A database that hangs, is full or cannot be opened is not asked twice.
        if (isFirst || !(error instanceof DOMException) || error.name !== "InvalidStateError") throw error;
        return await attempt(work, longest);
      }
    },
    close: async () => {
      const last = state.opened;
      forget();
      (await last)?.close();
    },
  };
}

/** @param {string} name */
function opening(name) {
  const state = { opened: /** @type {Promise<Database> | null} */ (null), isDeleted: false };
  const forget = () => void (state.opened = null);
  const open = () => {
    if (state.isDeleted) throw new DOMException("The account has left this browser", "NotFoundError");
    return state.opened ??= openDB(name, VERSION, {
      upgrade,
      terminated: forget,
      blocking(_current, next, event) {
        forget();
        state.isDeleted = next === null;
        /** @type {IDBDatabase} */ (event.target).close();
      },
    });
  };
  return { state, open, forget };
}

/** @param {Database} database */
function upgrade(database) {
  database.createObjectStore("objects", { keyPath: ["kind", "id"] });
  database.createObjectStore("outbox", { keyPath: "key" });
  database.createObjectStore("facts", { keyPath: "key" });
}

/** Rejects where the work takes longer: what it does is done nevertheless. @template T @param {Promise<T>} work @param {number} latest milliseconds @returns {Promise<T>} */
export function inTime(work, latest) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new DOMException("The database does not answer", "TimeoutError")),
      latest,
    );
  });
  return /** @type {Promise<T>} */ (Promise.race([work, late])).finally(() => clearTimeout(timer));
}

/** @param {Database} database @param {string} prefix */
async function factsOf(database, prefix) {
  const rows = await database.getAll("facts", IDBKeyRange.bound(prefix, prefix + "\uffff"));
  return new Map(rows.map((row) => [row.key, row.value]));
}

/**
 * One transaction: after a crash all of the change is there, or nothing. It goes on where the page is closed.
 * @param {Database} database
 * @param {Write} change
 */
async function writeTo(database, change) {
  const transaction = database.transaction(["objects", "outbox", "facts"], "readwrite");
  const objects = transaction.objectStore("objects");
  const outbox = transaction.objectStore("outbox");
  const facts = transaction.objectStore("facts");
  const requests = [
    ...(change.removed ?? []).map((key) => objects.delete(key)),
    ...(change.objects ?? []).map((object) => objects.put(object)),
    ...(change.dropped ?? []).flatMap((key) => [outbox.delete(key), facts.delete(BYTES + key)]),
    ...(change.items ?? []).map((item) => outbox.put(item)),
    ...Object.entries(change.facts ?? {}).map(([key, value]) =>
      value === undefined ? facts.delete(key) : facts.put({ key, value })
    ),
  ];
  // Without it, the browser commits once the page has got the last answer: not where it is closed before.
  transaction.commit();
  await Promise.all([...requests, transaction.done]);
}
