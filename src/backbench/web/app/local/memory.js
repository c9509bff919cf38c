// Local database in memory: for browsers that refuse IndexedDB, and for tests.

/** @typedef {import("../domain/kinds.js").Kind} Kind */

/**
 * An object as the server last gave it. `etag` is null where a list gave it.
 * @typedef {{kind: Kind, id: string, workshopId: string, value: any, etag: string | null}} StoredObject
 */

/**
 * A change that the server has not acknowledged.
 * @typedef {object} Item
 * @property {string} key also its Idempotency-Key, for ever
 * @property {string} op
 * @property {Kind} kind
 * @property {string} objectId
 * @property {string} workshopId
 * @property {Record<string, any>} args
 * @property {Record<string, any> | null} before the fields that it changes, as the person saw them
 * @property {number} madeAt milliseconds
 * @property {number} order position in the queue
 * @property {number} queuedAt when this page got to know it, in milliseconds of its clock that never goes back
 * @property {number} notBefore by the same clock
 * @property {boolean} isSent a request was sent: it may have reached the server
 * @property {number} attempts
 * @property {string} tab the page that made it and sends it
 * @property {import("../api/problems.js").StoredProblem | null} problem why the server refused it
 */

/**
 * @typedef {object} Write
 * @property {StoredObject[]} [objects]
 * @property {[Kind, string][]} [removed]
 * @property {Item[]} [items]
 * @property {string[]} [dropped] keys of items, with their bytes
 * @property {Record<string, unknown>} [facts] undefined removes
 */

/**
 * @typedef {object} Local
 * @property {"indexeddb" | "memory"} kind
 * @property {() => Promise<StoredObject[]>} readObjects
 * @property {(kind: Kind, id: string) => Promise<StoredObject | undefined>} readObject
 * @property {() => Promise<Item[]>} readItems
 * @property {(key: string) => Promise<any>} fact
 * @property {(prefix: string) => Promise<Map<string, any>>} facts
 * @property {(change: Write) => Promise<void>} write all of it or nothing
 * @property {() => Promise<void>} close
 */

/** Facts with the server's id of an object, by the id that this device gave it. */
export const REPLACED = "replaced:";

/** Facts with the bytes of a photo that waits, by the key of its item. */
export const BYTES = "bytes:";

/** Facts with what was typed and not sent, by workshop. */
export const DRAFTS = "drafts:";

/** @returns {Local} */
export function memoryLocal() {
  /** @type {Map<string, StoredObject>} */
  const objects = new Map();
  /** @type {Map<string, Item>} */
  const items = new Map();
  /** @type {Map<string, unknown>} */
  const facts = new Map();
  return {
    kind: "memory",
    readObjects: () => Promise.resolve(structuredClone([...objects.values()])),
    readObject: (kind, id) => Promise.resolve(structuredClone(objects.get(`${kind}/${id}`))),
    readItems: () => Promise.resolve(structuredClone([...items.values()])),
    fact: (key) => Promise.resolve(structuredClone(facts.get(key))),
    facts: (prefix) => Promise.resolve(new Map([...facts].filter(([key]) => key.startsWith(prefix)))),
    write: (change) => Promise.resolve(writeTo({ objects, items, facts }, structuredClone(change))),
    close: () => Promise.resolve(),
  };
}

/**
 * @param {{objects: Map<string, StoredObject>, items: Map<string, Item>, facts: Map<string, unknown>}} stores
 * @param {Write} change
 */
function writeTo({ objects, items, facts }, change) {
  for (const [kind, id] of change.removed ?? []) objects.delete(`${kind}/${id}`);
  for (const object of change.objects ?? []) objects.set(`${object.kind}/${object.id}`, object);
  for (const key of change.dropped ?? []) {
    items.delete(key);
    facts.delete(BYTES + key);
  }
  for (const item of change.items ?? []) items.set(item.key, item);
  for (const [key, value] of Object.entries(change.facts ?? {})) {
    if (value === undefined) facts.delete(key);
    else facts.set(key, value);
  }
}
