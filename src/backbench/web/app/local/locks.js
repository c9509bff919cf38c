// Locks between the pages of a browser. Without https there are none: what they guard is safe, but done more than once.

/** @returns {LockManager | undefined} */
function manager() {
  return typeof navigator === "undefined" ? undefined : navigator.locks;
}

/** Whether this browser has locks, and so says which pages are open. */
export const hasLocks = () => manager() !== undefined;

/** Runs a function while no other page does. @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
export function locked(name, work) {
  const locks = manager();
  return locks ? /** @type {Promise<T>} */ (locks.request(name, work)) : work();
}

/** Holds a lock until the page closes. @param {string} name */
export function keepLock(name) {
  void manager()?.request(name, () => new Promise(() => {}));
}

/** The names behind `prefix` of the locks that pages hold; null where the browser does not say. @param {string} prefix */
export async function livePages(prefix) {
  const held = (await manager()?.query?.())?.held;
  if (!held) return null;
  const names = held.map(({ name }) => name ?? "").filter((name) => name.startsWith(prefix));
  return new Set(names.map((name) => name.slice(prefix.length)));
}

/**
 * Runs `lead` in one page of the browser at a time; its result ends it. Returns how to give up.
 * @param {string} name
 * @param {() => () => void} lead
 */
export function leadership(name, lead) {
  const locks = manager();
  if (!locks) return lead();
  const giveUp = new AbortController();
  const held = (/** @type {() => void} */ end) =>
    new Promise((resolve) => {
      giveUp.signal.addEventListener("abort", () => {
        end();
        resolve(undefined);
      });
    });
  locks.request(name, { signal: giveUp.signal }, () => held(lead())).catch((error) => {
    if (error.name !== "AbortError") throw error;
  });
  return () => giveUp.abort();
}
