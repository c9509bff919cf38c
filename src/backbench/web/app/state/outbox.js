// Outbox: the changes of this page's account that the server does not have yet. What a change is: `sync/mutations.js`.

import { computed, effect, signal, untracked } from "../vendor/signals-core.js";
import { send } from "../api/client.js";
import { isProblem, Problem } from "../api/problems.js";
import { newId } from "../domain/ids.js";
import { saveTyped } from "./typed.js";
import { createReplica } from "./sync/replica.js";
import { channel, hasLocks, keepLock, livePages, locked, released } from "../local/pages.js";

/** @typedef {import("../local/memory.js").Item} Item */
/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

const TAB = "backbench-tab";
const PAGE = "backbench-page-";
const ABANDONED = 60_000;
const tab = ownName();

/**
 * The account of this page, whose changes and photos these are; "" before somebody has signed in. It never becomes another
 * one. Modules are loaded before it is known: nobody may remember it.
 */
export const account = signal("");
export const replica = createReplica({
  tab,
  announce: (write) => channel.post({ type: "write", account: account.peek(), write }),
});
/** What changes are made and pulled with, without members until `openOutbox` has loaded it. @type {typeof import("./sync/core.js")} */
export const core = /** @type {any} */ ({});
/** @type {Promise<void> | null} */
let loading = null;
/** @type {() => void} */
let settleCore;
/** Settles once it is loaded. @type {Promise<void>} */
export const coreLoaded = new Promise((settle) => (settleCore = settle));

/** Throws where it cannot be loaded. */
export function loadCore() {
  loading ??= import("./sync/core.js").then((found) => {
    Object.assign(core, found);
    replica.use(found);
    settleCore();
  }).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** When it is tried again after a failure, in milliseconds; 0 if nothing failed. */
export const waitsUntil = signal(0);
/** How many photos this page has sent. */
export const sentUploads = signal(0);
/** The workshop of a refused change, if the account may have left it. @type {import("../vendor/signals-core.js").Signal<string | null>} */
export const leftWorkshop = signal(null);
/** Pages of this browser that are open; null where the browser does not say. @type {Set<string> | null} */
let pages = null;
/** Those whose end this page waits for. @type {Set<string>} */
const awaited = new Set();

/** @typedef {ReturnType<typeof import("./sync/drain.js").createDrain>} Drain */

/** What sends: loaded with the first change, or once nothing else is to do. @type {{texts: Drain, uploads: Drain} | null} */
let drains = null;
let isPaused = false;
/** Keys of what is being sent. @type {Set<string>} */
const sending = new Set();

async function sender() {
  const { createDrain } = await import("./sync/drain.js").catch(() => {
    throw new Problem(0, "offline");
  });
  const waits = { outbox: 0, uploads: 0 };
  /** @param {keyof typeof waits} name @param {Partial<import("./sync/drain.js").DrainContext>} more */
  const made = (name, more) =>
    createDrain({
      replica,
      send,
      sending,
      lock: (work) => locked(`backbench-${name}`, () => withPages(work)),
      isMine,
      left: (workshopId) => (leftWorkshop.value = workshopId),
      waits: (until) => {
        waits[name] = until;
        waitsUntil.value = Math.max(waits.outbox, waits.uploads);
      },
      ...more,
    });
  drains ??= {
    texts: made("outbox", { sent: () => quietly(run()) }),
    uploads: made("uploads", {
      ofUploads: true,
      sent: () => {
        sentUploads.value += 1;
        quietly(run());
      },
    }),
  };
  if (isPaused) pause();
  return drains;
}

/** Sends what can be sent now. Settles when nothing more can, but for photos: those follow. */
function run() {
  return both((drain) => drain.run());
}

/** Tries again at once, such as when the person asks for it. */
export function wake() {
  return both((drain) => drain.wake());
}

/** Nothing is sent until `resume`. */
export function pause() {
  isPaused = true;
  drains?.texts.pause();
  drains?.uploads.pause();
}

export function resume() {
  isPaused = false;
  return both((drain) => drain.resume());
}

/** @param {(drain: Drain) => Promise<void>} work */
async function both(work) {
  if (isPaused || (!drains && !items.peek().length)) return;
  const { texts, uploads } = drains ?? await sender();
  await work(texts);
  quietly(work(uploads));
}

/** Where it could not be loaded, there is another attempt with the connection. @param {Promise<unknown>} work */
function quietly(work) {
  void work.catch((error) => {
    if (!isProblem(error)) throw error;
  });
}

/** The waiting changes, oldest first. @type {ReadonlySignal<Item[]>} */
export const items = replica.items;

/** From now on the page is of this account: once in its life. @param {string} name */
export function takeAccount(name) {
  pause();
  account.value = name;
}

/** Shows what is stored for the account. */
export async function openOutbox() {
  await loadCore();
  await replica.attach(await core.openLocal(account.peek()));
}

/** Starts what lasts as long as the page. */
export function startOutbox() {
  keepLock(PAGE + tab);
  channel.listen((message) => {
    if (message.type !== "write" || message.account !== account.peek()) return;
    void coreLoaded.then(() => {
      replica.take(message.write);
      quietly(run());
    });
  });
  addEventListener("online", () => quietly(wake()));
  addEventListener("pagehide", () => quietly(flush()));
  addEventListener("pageshow", (event) => event.persisted && void replica.reload());
  document.addEventListener("resume", () => void replica.reload());
  effect(() => void (replica.lateReads.value && untracked(() => quietly(wake()))));
  document.addEventListener("visibilitychange", () => {
    quietly(document.visibilityState === "visible" ? wake() : flush());
  });
  const isWaiting = computed(() => items.value.length > 0);
  effect(() => {
    // iOS and full disks remove what is not persistent.
    if (isWaiting.value) void navigator.storage?.persist?.();
  });
}

/** This page's name. Without locks nobody knows which pages are open: then a page that is loaded anew keeps its name. */
function ownName() {
  try {
    if (typeof sessionStorage === "undefined" || hasLocks()) return newId();
    const name = sessionStorage.getItem(TAB) ?? newId();
    sessionStorage.setItem(TAB, name);
    return name;
  } catch {
    // Storage is refused in some private windows.
    return newId();
  }
}

/**
 * Makes a change: it is shown at once, stored, and sent as soon as possible. Returns its key, for `drop`.
 * @param {string} op
 * @param {string} objectId
 * @param {string} workshopId
 * @param {Record<string, any>} args
 * @param {Record<string, any> | null} [before] the values of the fields that it changes, as the person saw them
 * @param {Blob} [bytes] of a photo
 */
export function enqueue(op, objectId, workshopId, args, before = null, bytes) {
  const change = { op, objectId, workshopId, args, before, ...(bytes && { bytes }) };
  const key = core.enqueue(replica, change, sending);
  quietly(run());
  return key;
}

/** Takes a change back. @param {string | null} key */
export function drop(key) {
  if (key) core.drop(replica, key);
  quietly(run());
}

/** Keeps a change back that was not sent yet. @param {string} key @param {number} duration in milliseconds */
export function postpone(key, duration) {
  core.postpone(replica, key, replica.elapsed() + duration);
  quietly(run());
}

/** Sends a refused change again. @param {string} key */
export function retry(key) {
  core.retry(replica, key);
  quietly(wake());
}

/** Sends what waits for further changes, such as taps on a quantity: call it when a screen is left. */
export function flush() {
  if (items.peek().length) core.hasten(replica);
  return run();
}

/** The present id of an object: that of the server, once it has answered. @param {string} id */
export function replaced(id) {
  return replica.presentId(id);
}

/**
 * Sends what waits for an object, and returns its id at the server: before operations that only the server can do. Throws
 * the Problem of what cannot be sent. A deletion is left the time to undo it, except in estimates: what is made of them
 * must have the lines that are shown. Photos follow.
 * @param {string} id
 */
export async function settle(id) {
  saveTyped();
  const isNeeded = (/** @type {Item} */ { kind, op, objectId }) =>
    objectId === replica.presentId(id) && (kind === "estimate" || !core.mutation(op).isDeletion) &&
    core.mutation(op).way !== "upload";
  const all = () => replica.items.peek().filter(isNeeded);
  if (items.peek().length) core.hasten(replica, isNeeded);
  await wake();
  // A change made while the others were sent.
  if (all().some((item) => !item.problem && !core.isConflict(replica, item))) await run();
  const left = all();
  if (!left.length) return replica.presentId(id);
  const refusal = left.find((item) => item.problem)?.problem;
  if (refusal) throw new Problem(refusal.status, refusal.code, refusal);
  if (left.some((item) => core.isConflict(replica, item))) throw new Problem(409, "conflict");
  // Tried, and the server could not: it has answered.
  throw left.some(({ attempts }) => attempts > 0) ? new Problem(503, "503") : new Problem(0, "offline");
}

/** Whether a change of the object waits. @param {string} id */
export function isPending(id) {
  return replica.pending.get(replica.presentId(id)) !== undefined;
}

/** The first waiting change of the object that the server refused. @param {string} id @returns {Item | undefined} */
export function refusedOf(id) {
  return replica.pending.get(replica.presentId(id))?.find((item) => item.problem);
}

/** Whether this page sends the change: it made it, or the page that did is closed. Where that is open, waits for its end. @param {Item} item */
function isMine(item) {
  if (item.tab === tab) return true;
  if (!pages) return replica.elapsed() - item.queuedAt > ABANDONED;
  if (!pages.has(item.tab)) return true;
  void takeOver(item.tab);
  return false;
}

/** @template T @param {() => Promise<T>} work */
async function withPages(work) {
  pages = await livePages(PAGE);
  return await work();
}

/** Sends what another page did not, as soon as it is closed or asleep. @param {string} page */
async function takeOver(page) {
  if (awaited.has(page)) return;
  awaited.add(page);
  await released(PAGE + page);
  awaited.delete(page);
  // A sending that is under way has asked for the open pages before.
  pages?.delete(page);
  await run();
}
