// IndexedDB for tests, as `idb` offers it: databases of one browser, which can be full, hang or lose their connections.

/** @typedef {Map<string, any>} Store */

/** Databases that outlive pages. */
export function fakeIdb() {
  /** @type {Map<string, Map<string, Store>>} */
  const databases = new Map();
  /** @type {Set<ReturnType<typeof connection>>} */
  const open = new Set();
  // `lost` names a database that cannot be opened the next time; `unread` counts readings of all objects that fail. `isHeld`:
  // another page keeps what is to be deleted open. `space` is what one photo may have; `bytes` counts those of
  // photos that were read and written, `committed` the transactions that were committed explicitly.
  const faults = {
    isFull: false,
    space: Infinity,
    hangs: false,
    isRefused: false,
    isHeld: false,
    opened: 0,
    lost: "",
    unread: 0,
    bytes: 0,
    /** What was read, in turn. @type {string[]} */ reads: [],
    committed: 0,
  };
  return {
    databases,
    faults,
    /** Ends the connections, as iOS does to an app in the background. */
    loseConnections: () => open.forEach((one) => (one.isLost = true)),
    /** @param {string} name @param {number} _version @param {any} handlers */
    openDB: async (name, _version, handlers) => {
      if (faults.isRefused) throw new DOMException("refused", "SecurityError");
      if (faults.hangs) await new Promise(() => {});
      if (faults.lost === name) {
        faults.lost = "";
        throw new DOMException("Connection to the server was lost", "UnknownError");
      }
      faults.opened += 1;
      const stores = databases.get(name) ?? new Map();
      const made = connection(name, stores, faults, handlers);
      if (!databases.has(name)) {
        let isAborted = false;
        const upgrading = { done: Promise.resolve(), abort: () => (isAborted = true) };
        const database = { createObjectStore: (/** @type {string} */ of) => stores.set(of, new Map()) };
        handlers.upgrade(database, 0, 1, upgrading);
        if (isAborted) throw new DOMException("The upgrade was aborted", "AbortError");
      }
      databases.set(name, stores);
      open.add(made);
      return made.database;
    },
    /** @param {string} name */
    deleteDB: (name) => {
      if (faults.isHeld) return new Promise(() => {});
      for (const one of open) {
        if (one.name === name) one.handlers.blocking?.(1, null, { target: one.database });
      }
      databases.delete(name);
      return Promise.resolve();
    },
  };
}

/** @param {string} name @param {Map<string, Store>} stores @param {any} faults @param {any} handlers */
function connection(name, stores, faults, handlers) {
  const made = { name, handlers, isLost: false, database: /** @type {any} */ (null) };
  const store = (/** @type {string} */ of) => {
    if (made.isLost) throw new DOMException("The connection is closing", "InvalidStateError");
    return stores.get(of) ?? new Map();
  };
  const hanging = () => faults.hangs ? new Promise(() => {}) : Promise.resolve();
  made.database = {
    getAll: async (/** @type {string} */ of, /** @type {any} */ range) => {
      const found = [...store(of).entries()].filter(([key]) =>
        !range || (key >= range.from && key <= range.to)
      );
      faults.reads.push(of);
      await hanging();
      if (of === "objects" && faults.unread > 0 && faults.unread--) {
        throw new DOMException("cannot be read", "UnknownError");
      }
      const values = found.map(([, value]) => value);
      faults.bytes += bytesOf(values);
      return structuredClone(values);
    },
    getAllKeys: async (/** @type {string} */ of) => {
      const found = [...store(of).keys()];
      await hanging();
      return found;
    },
    count: async (/** @type {string} */ of) => {
      await hanging();
      return store(of).size;
    },
    get: async (/** @type {string} */ of, /** @type {any} */ key) => {
      const found = store(of).get(String(key));
      faults.reads.push(`${of} ${key}`);
      await hanging();
      faults.bytes += bytesOf([found]);
      return structuredClone(found);
    },
    put: async (/** @type {string} */ of, /** @type {any} */ value) => {
      const all = transaction(store, faults, hanging);
      void all.objectStore(of).put(value);
      faults.bytes += bytesOf([value]);
      await all.done;
    },
    delete: async (/** @type {string} */ of, /** @type {any} */ key) => {
      const all = transaction(store, faults, hanging);
      void all.objectStore(of).delete(key);
      await all.done;
    },
    transaction: () => transaction(store, faults, hanging),
    close: () => (made.isLost = true),
  };
  return made;
}

/** Of photos, which are what has many. @param {any[]} values */
const bytesOf = (values) =>
  values.reduce((sum, value) => sum + (value?.value instanceof Blob ? value.value.size : 0), 0);

/** All of it at its end, or nothing. @param {(of: string) => Store} store @param {{isFull: boolean, space: number, bytes: number, committed: number}} faults @param {() => Promise<unknown>} hanging */
function transaction(store, faults, hanging) {
  store("any");
  /** @type {(() => void)[]} */
  const changes = [];
  let isTooLarge = false;
  const done = Promise.resolve().then(hanging).then(() => {
    if (faults.isFull || isTooLarge) throw new DOMException("full", "QuotaExceededError");
    changes.forEach((change) => change());
  });
  const keyOf = (/** @type {any} */ value) =>
    String("kind" in value && !("op" in value) ? [value.kind, value.id] : value.key);
  return {
    done,
    commit: () => void (faults.committed += 1),
    objectStore: (/** @type {string} */ of) => ({
      put: (/** @type {any} */ value) => {
        const copy = structuredClone(value);
        faults.bytes += bytesOf([value]);
        isTooLarge ||= bytesOf([value]) > faults.space;
        changes.push(() => store(of).set(keyOf(copy), copy));
        return Promise.resolve();
      },
      delete: (/** @type {any} */ key) => {
        changes.push(() => store(of).delete(String(key)));
        return Promise.resolve();
      },
    }),
  };
}
