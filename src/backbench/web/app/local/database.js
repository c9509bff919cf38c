// Local database: what this browser stores for one account. IndexedDB, or memory where that is refused.

import { deleteDB, openDB } from "../vendor/idb.js";
import { memoryLocal } from "./memory.js";

/** @typedef {import("./memory.js").Local} Local */
/** @typedef {import("./memory.js").Write} Write */

const PREFIX = "backbench-";
const VERSION = 1;

/** @param {string} account */
function databaseName(account) {
  return PREFIX + encodeURIComponent(account);
}

/**
 * The local database of an account.
 * @param {string} account
 * @returns {Promise<Local>}
 */
export async function openLocal(account) {
  try {
    return await indexedLocal(account);
  } catch {
    // Private windows and blocked storage refuse IndexedDB with errors of several names: the app works without it.
    return memoryLocal();
  }
}

/** @param {string} account */
export async function deleteLocal(account) {
  if (typeof indexedDB !== "undefined") await deleteDB(databaseName(account));
}

/** @param {string} account @returns {Promise<Local>} */
async function indexedLocal(account) {
  const connect = connection(databaseName(account));
  await connect();
  return {
    kind: "indexeddb",
    readObjects: async () => (await connect()).getAll("objects"),
    readObject: async (kind, id) => (await connect()).get("objects", [kind, id]),
    readItems: async () => (await connect()).getAll("outbox"),
    fact: async (key) => (await (await connect()).get("facts", key))?.value,
    facts: async (prefix) => factsOf(await connect(), prefix),
    write: async (change) => writeTo(await connect(), change),
    close: async () => (await connect()).close(),
  };
}

/** Opens the database, and again after the browser has ended the connection, as iOS does. @param {string} name */
function connection(name) {
  /** @type {ReturnType<typeof openDB> | null} */
  let opened = null;
  return () => {
    opened ??= openDB(name, VERSION, {
      upgrade(database) {
        database.createObjectStore("objects", { keyPath: ["kind", "id"] });
        database.createObjectStore("outbox", { keyPath: "key" });
        database.createObjectStore("facts", { keyPath: "key" });
      },
      blocking: (_current, _blocked, event) => /** @type {IDBDatabase} */ (event.target).close(),
      terminated() {
        opened = null;
      },
    });
    opened.catch(() => (opened = null));
    return opened;
  };
}

/** @param {import("../vendor/idb.js").IDBPDatabase} database @param {string} prefix */
async function factsOf(database, prefix) {
  const rows = await database.getAll("facts", IDBKeyRange.bound(prefix, prefix + "\uffff"));
  return new Map(rows.map((row) => [row.key, row.value]));
}

/**
 * One transaction: after a crash all of the change is there, or nothing.
 * @param {import("../vendor/idb.js").IDBPDatabase} database
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
    ...(change.dropped ?? []).map((key) => outbox.delete(key)),
    ...(change.items ?? []).map((item) => outbox.put(item)),
    ...Object.entries(change.facts ?? {}).map(([key, value]) =>
      value === undefined ? facts.delete(key) : facts.put({ key, value })
    ),
  ];
  await Promise.all([...requests, transaction.done]);
}
