// Messages between the pages of this browser. All share one channel: pages of another account hear when it changes.

/**
 * `write`: what a page of `account` has stored. `account`: another account is signed in, or none, or the same one anew.
 * @typedef {{type: "write", account: string, write: import("./memory.js").Write}
 *   | {type: "pulled", pulled: import("../state/live.js").Pulled}
 *   | {type: "account"}} Message
 */

const NAME = "backbench";
/** @type {BroadcastChannel | null} */
let open = null;

export const channel = {
  /** @param {Message} message */
  post(message) {
    open?.postMessage(message);
  },
  /** Calls back for each message of another page. @param {(message: Message) => void} listener */
  listen(listener) {
    if (typeof BroadcastChannel === "undefined") return;
    open ??= new BroadcastChannel(NAME);
    open.addEventListener("message", ({ data }) => listener(data));
  },
};

// Locks between the pages of a browser. Without https there are none: what they guard is safe, but done more than once.

/** @returns {LockManager | undefined} */
function manager() {
  return typeof navigator === "undefined" ? undefined : navigator.locks;
}

/** Whether this browser has locks, and so says which pages are open. */
export const hasLocks = () => manager() !== undefined;

// A page that was put to sleep may keep its locks, and its browser may say nothing before: it is not waited for longer.
const PATIENCE = 30_000;

/** Settles when the page is put to sleep: nothing is under way in it until it is shown again. */
const asleep = () =>
  new Promise((settle) => document.addEventListener("freeze", () => settle(undefined), { once: true }));

/**
 * Runs a function while no other page does, as long as that is awake.
 * @template T @param {string} name @param {() => Promise<T>} work @param {number} [patience] milliseconds @returns {Promise<T>}
 */
export function locked(name, work, patience = PATIENCE) {
  const locks = manager();
  if (!locks) return work();
  return new Promise((resolve, reject) => {
    let isTaken = false;
    const hold = () => {
      isTaken = true;
      const done = work();
      done.then(resolve, reject);
      return Promise.race([done.catch(() => {}), asleep()]);
    };
    // Whoever holds it too long loses it, and its work goes on: see above.
    const late = () => isTaken || locks.request(name, { steal: true }, hold).catch(() => {});
    locks.request(name, { signal: AbortSignal.timeout(patience) }, hold).catch(late);
  });
}

/** Holds a lock until the page closes, and while it is awake. @param {string} name */
export function keepLock(name) {
  const keep = () => void manager()?.request(name, asleep);
  keep();
  document.addEventListener("resume", keep);
}

/** Settles when no page holds the lock: the one that kept it is closed or asleep. @param {string} name */
export async function released(name) {
  await manager()?.request(name, { mode: "shared" }, () => {});
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
