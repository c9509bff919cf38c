// Storage of the replica: reads and writes the local database. What could not be written is written with the next change.

import { REPLACED } from "../../local/memory.js";
import { idle } from "../../local/painted.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("../../local/memory.js").Local} Local */
/** @typedef {import("../../local/memory.js").StoredObject} StoredObject */
/** @typedef {import("../../local/memory.js").Write} Write */
/** @typedef {[StoredObject[], Item[], Map<string, string>]} Read */

const AGAIN = 10_000;
/** So many objects take as long to write as to draw. */
const MANY = 100;

/**
 * `count` counts the changes in memory; `show` shows what was read, `announce` tells other pages what was written.
 * `isFailing`: what was changed last would be lost with the page.
 * @param {{count: () => number, isFailing: {value: boolean}, show: (read: Read) => void, announce: (change: Write) => void}} replica
 */
export function storage({ count, isFailing, show, announce }) {
  /** @type {Store} */
  const store = { local: null, written: Promise.resolve(), unwritten: [], isFailing };
  /** @param {Write} change */
  const save = async (change) => {
    if (!store.local) return;
    store.unwritten.push(change);
    if ((change.objects ?? []).length > MANY) store.written = store.written.then(idle);
    await write(store);
    announce(change);
  };
  return {
    /** Shows what is stored for an account: once in the life of a page. @param {Local} opened */
    attach: async (opened) => {
      store.local = opened;
      isFailing.value = opened.kind === "memory";
      await readAll(store, count, show).catch(() => (isFailing.value = true));
    },
    /** Reads again what other pages have stored, after this one was asleep. */
    reload: async () => isFailing.value || await readAll(store, count, show),
    /** Once it was tried to store all changes. */
    saved: () => store.written,
    /** @param {string} key */
    fact: (key) => factOf(store, key),
    save,
  };
}

/**
 * `written` settles when the last write was tried; `unwritten` is in its order.
 * @typedef {{local: Local | null, written: Promise<void>, unwritten: Write[], isFailing: {value: boolean}, timer?: ReturnType<typeof setTimeout> | undefined}} Store
 */

/** @param {Store} store @param {string} key @returns {Promise<any>} */
async function factOf(store, key) {
  await store.written;
  const waiting = store.unwritten.findLast(({ facts = {} }) => key in facts);
  return waiting ? waiting.facts?.[key] : await store.local?.fact(key).catch(() => undefined);
}

/** After the writes before it. @param {Store} store */
function write(store) {
  return store.written = store.written.then(() => flush(store));
}

/** @param {Store} store */
async function flush(store) {
  clearTimeout(store.timer);
  const { local, unwritten } = store;
  if (!local || !unwritten.length) return;
  store.unwritten = [];
  try {
    await local.write(together(unwritten));
    store.isFailing.value = local.kind === "memory";
  } catch {
    // Full, closed or refused by the browser: errors of several names.
    store.unwritten = [...unwritten, ...store.unwritten];
    store.isFailing.value = true;
    store.timer = setTimeout(() => void write(store), AGAIN);
  }
}

/** Several changes as one: the last of each thing. @param {Write[]} changes @returns {Write} */
function together(changes) {
  /** @type {Map<string, [keyof Write, any]>} */
  const last = new Map();
  for (const { objects = [], removed = [], items = [], dropped = [], facts = {} } of changes) {
    for (const [kind, id] of removed) last.set(`object ${kind} ${id}`, ["removed", [kind, id]]);
    for (const object of objects) last.set(`object ${object.kind} ${object.id}`, ["objects", object]);
    for (const key of dropped) last.set(`item ${key}`, ["dropped", key]);
    for (const item of items) last.set(`item ${item.key}`, ["items", item]);
    for (const [key, value] of Object.entries(facts)) last.set(`fact ${key}`, ["facts", [key, value]]);
  }
  /** @param {keyof Write} member */
  const of = (member) => [...last.values()].filter(([name]) => name === member).map(([, value]) => value);
  return {
    objects: of("objects"),
    removed: of("removed"),
    items: of("items"),
    dropped: of("dropped"),
    facts: Object.fromEntries(of("facts")),
  };
}

/** @param {{local: Local | null, written: Promise<void>}} store @param {() => number} count @param {(read: Read) => void} show */
async function readAll(store, count, show) {
  const { local } = store;
  if (!local) return;
  let before;
  let read;
  do {
    await store.written;
    before = count();
    read = await Promise.all([local.readObjects(), local.readItems(), local.facts(REPLACED)]);
    // A change made while reading is not in what was read.
  } while (before !== count());
  show(read);
}
