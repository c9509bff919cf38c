// Outbox: the changes of this page's account that the server does not have yet. What a change is: `sync/mutations.js`.

import { computed, effect, signal, untracked } from "../vendor/signals-core.js";
import { send } from "../api/client.js";
import { Problem } from "../api/problems.js";
import { newId } from "../domain/ids.js";
import { createDrain } from "./sync/drain.js";
import { mutation } from "./sync/mutations.js";
import { saveTyped } from "./typed.js";
import { createReplica } from "./sync/replica.js";
import { channel, hasLocks, keepLock, livePages, locked, released } from "../local/pages.js";
import * as queue from "./sync/queue.js";

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
/** When it is tried again after a failure, in milliseconds; 0 if nothing failed. */
export const waitsUntil = signal(0);
/** The workshop of a refused change, if the account may have left it. @type {import("../vendor/signals-core.js").Signal<string | null>} */
export const leftWorkshop = signal(null);
/** Pages of this browser that are open; null where the browser does not say. @type {Set<string> | null} */
let pages = null;
/** Those whose end this page waits for. @type {Set<string>} */
const awaited = new Set();

const drain = createDrain({
  replica,
  send,
  lock: (work) => locked("backbench-outbox", () => withPages(work)),
  isMine,
  left: (workshopId) => (leftWorkshop.value = workshopId),
  waits: (until) => (waitsUntil.value = until),
});

/** The waiting changes, oldest first. @type {ReadonlySignal<Item[]>} */
export const items = replica.items;

/** Shows what is stored for an account: once in the life of a page. @param {string} name @param {import("../local/memory.js").Local} local */
export async function openOutbox(name, local) {
  drain.pause();
  account.value = name;
  await replica.attach(local);
}

/** Starts what lasts as long as the page. */
export function startOutbox() {
  keepLock(PAGE + tab);
  channel.listen((message) => {
    if (message.type !== "write" || message.account !== account.peek()) return;
    replica.take(message.write);
    void drain.run();
  });
  addEventListener("online", () => void drain.wake());
  addEventListener("pagehide", () => void flush());
  addEventListener("pageshow", (event) => event.persisted && void replica.reload());
  document.addEventListener("resume", () => void replica.reload());
  effect(() => void (replica.lateReads.value && untracked(drain.wake)));
  document.addEventListener("visibilitychange", () => {
    void (document.visibilityState === "visible" ? drain.wake() : flush());
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
 */
export function enqueue(op, objectId, workshopId, args, before = null) {
  const key = queue.enqueue(replica, { op, objectId, workshopId, args, before }, drain.sending);
  void drain.run();
  return key;
}

/** Takes a change back. @param {string | null} key */
export function drop(key) {
  if (key) queue.drop(replica, key);
  void drain.run();
}

/** Keeps a change back that was not sent yet. @param {string} key @param {number} duration in milliseconds */
export function postpone(key, duration) {
  queue.postpone(replica, key, replica.elapsed() + duration);
  void drain.run();
}

/** Sends a refused change again. @param {string} key */
export function retry(key) {
  queue.retry(replica, key);
  void drain.wake();
}

/** Sends what waits for further changes, such as taps on a quantity: call it when a screen is left. */
export function flush() {
  queue.hasten(replica);
  return drain.run();
}

/** Tries again at once, such as when the person asks for it. */
export function wake() {
  return drain.wake();
}

export const { pause, resume } = drain;

/** The present id of an object: that of the server, once it has answered. @param {string} id */
export function replaced(id) {
  return replica.presentId(id);
}

/**
 * Sends what waits for an object, and returns its id at the server: before operations that only the server can do. Throws
 * the Problem of what cannot be sent. A deletion is left the time to undo it, except in estimates: what is made of them
 * must have the lines that are shown.
 * @param {string} id
 */
export async function settle(id) {
  saveTyped();
  const isNeeded = (/** @type {Item} */ { kind, op, objectId }) =>
    objectId === replica.presentId(id) && (kind === "estimate" || !mutation(op).isDeletion);
  const all = () => replica.items.peek().filter(isNeeded);
  queue.hasten(replica, isNeeded);
  await drain.wake();
  // A change made while the others were sent.
  if (all().some((item) => !item.problem && !queue.isConflict(replica, item))) await drain.run();
  const left = all();
  if (!left.length) return replica.presentId(id);
  const refusal = left.find((item) => item.problem)?.problem;
  if (refusal) throw new Problem(refusal.status, refusal.code, refusal);
  if (left.some((item) => queue.isConflict(replica, item))) throw new Problem(409, "conflict");
  // Tried, and the server could not: it has answered.
  throw left.some(({ attempts }) => attempts > 0) ? new Problem(503, "503") : new Problem(0, "offline");
}

/** @type {Map<string, ReadonlySignal<boolean>>} */
const pendingSignals = new Map();

/** Whether a change of the object waits. @param {string} id @returns {ReadonlySignal<boolean>} */
export function pendingOf(id) {
  const known = pendingSignals.get(id);
  if (known) return known;
  const made = computed(() => replica.pending.value.has(replica.presentId(id)));
  pendingSignals.set(id, made);
  return made;
}

/** The first waiting change of the object that the server refused. @param {string} id @returns {Item | undefined} */
export function refusedOf(id) {
  return replica.pending.value.get(replica.presentId(id))?.find((item) => item.problem);
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
  await drain.run();
}
