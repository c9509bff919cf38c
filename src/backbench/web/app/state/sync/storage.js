// Storage of the replica: reads and writes the local database. A change is given to the database in the task that shows
// it, since the page may be closed at any time; only while many objects wait for an idle moment it follows them. What
// could not be written is written with the next change.

import { BYTES, REPLACED } from "../../local/memory.js";
import { idle } from "../../local/painted.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("../../local/memory.js").StoredObject} StoredObject */
/** @typedef {import("../../local/memory.js").Write} Write */
/** @typedef {import("../../local/memory.js").Local} Local */
/** @typedef {[StoredObject[], Item[], Map<string, string>]} Read */

const AGAIN = 10_000;
const WHILE = 500;
// Nobody waits for longer until something is shown.
const LATEST = 4_000;
/** So many objects take as long to write as to draw. */
const MANY = 100;

/**
 * `count` counts the changes in memory; `show` shows what was read with a change over it, `announce` tells other pages what
 * was written. `isFailing`: what was changed last would be lost with the page. `lateReads` counts readings since the
 * page was started: what was loaded before each does not say what of it is gone.
 * @typedef {{count: () => number, isFailing: {value: boolean}, lateReads: {value: number}, show: (read: Read, change: Write) => void, announce: (change: Write) => void}} Shown
 */

/** @param {Shown} shown */
export function storage(shown) {
  const store = newStore(shown);
  return {
    /** Shows what is stored for an account: once in the life of a page. What takes long is shown later. @param {Local} opened */
    attach: (opened) => attach(store, opened),
    /** Reads again what other pages have stored, after this one was asleep. */
    reload: () => {
      store.isRead = false;
      return read(store);
    },
    /** Reads and stores at once what could not be. */
    retry: () => store.isRead ? write(store) : read(store),
    /** Once it was tried to store all changes. */
    saved: () => store.written,
    /** What the server has, too: undefined where it cannot be read. @param {string} key */
    fact: (key) => factOf(store, key).catch(() => undefined),
    /** What nobody else has: it waits until it can be read. @param {string} key */
    ownFact: (key) => ownFactOf(store, key),
    /** @param {Write} change */
    save: (change) => save(store, change),
  };
}

/** @param {Shown} shown @returns {Store} */
function newStore(shown) {
  const written = Promise.resolve();
  const state = { unwritten: [], writing: [], later: null, reading: null, isRead: false, isStarted: false };
  return { ...shown, local: null, written, awaited: [], ...state };
}

/** @param {Store} store @param {Local} opened */
async function attach(store, opened) {
  store.local = opened;
  store.isFailing.value = opened.kind === "memory";
  const late = new Promise((settle) => setTimeout(settle, LATEST));
  await Promise.race([read(store), late]);
  store.isStarted = true;
  if (!store.isRead) store.isFailing.value = true;
}

/** @param {Store} store @param {Write} change */
async function save(store, change) {
  store.unwritten.push(change);
  if (!store.local) return;
  if ((change.objects ?? []).length > MANY) store.later ??= idle().finally(() => (store.later = null));
  await write(store);
  store.announce(change);
}

/**
 * `written` settles when the last write was tried; `awaited` is called once what is stored was read; `unwritten` and what the database is `writing` are in their order.
 * Nothing is written before what is stored was read, and without that there are no facts: a cursor without its objects
 * would leave them out for ever.
 * @typedef {Shown & {local: Local | null, written: Promise<void>, awaited: (() => void)[], unwritten: Write[], writing: Write[], later: Promise<void> | null, reading: Promise<void> | null, isRead: boolean, isStarted: boolean, timer?: ReturnType<typeof setTimeout> | undefined}} Store
 */

/** @param {Store} store @param {string} key @returns {Promise<any>} */
async function factOf(store, key) {
  const waiting = [...store.writing, ...store.unwritten].findLast(({ facts = {} }) => key in facts);
  return waiting || !store.isRead ? waiting?.facts?.[key] : await store.local?.fact(key);
}

/** @param {Store} store @param {string} key @returns {Promise<any>} */
async function ownFactOf(store, key) {
  for (;;) {
    try {
      if (store.isRead) return await factOf(store, key);
    } catch {
      // As below.
    }
    await new Promise((settle) => {
      store.awaited.push(() => settle(undefined));
      setTimeout(settle, WHILE);
    });
  }
}

/** Not after the writes before it: the database keeps their order. @param {Store} store */
function write(store) {
  const done = store.later?.then(() => flush(store)) ?? flush(store);
  return store.written = Promise.all([store.written, done]).then(() => {});
}

/** @param {Store} store */
async function flush(store) {
  const { local } = store;
  if (!local || !store.isRead || !store.unwritten.length) return;
  clearTimeout(store.timer);
  const changes = apart(together(store.unwritten));
  store.unwritten = [];
  store.writing.push(...changes);
  const done = await Promise.allSettled(changes.map((change) => local.write(change)));
  const written = changes.filter((_, at) => done[at]?.status === "fulfilled");
  store.writing = store.writing.filter((change) => !written.includes(change));
  if (written.length < changes.length) {
    // Full, closed or refused by the browser: errors of several names. Later ones are written again after it.
    store.unwritten = [...store.writing, ...store.unwritten];
    store.writing = [];
    store.isFailing.value = true;
    store.timer = setTimeout(() => void write(store), AGAIN);
  } else if (!store.unwritten.length) store.isFailing.value = local.kind === "memory";
}

/** Each photo for itself: a disk without space for it takes what was typed. @param {Required<Write>} change @returns {Write[]} */
function apart({ items, facts, ...others }) {
  const names = Object.keys(facts).filter((name) => name.startsWith(BYTES));
  const isPhoto = (/** @type {Item} */ { key }) => names.includes(BYTES + key);
  const texts = Object.entries(facts).filter(([name]) => !names.includes(name));
  return [
    { ...others, items: items.filter((item) => !isPhoto(item)), facts: Object.fromEntries(texts) },
    ...names.map((name) => ({
      items: items.filter(({ key }) => BYTES + key === name),
      facts: { [name]: facts[name] },
    })),
  ];
}

/** Several changes as one: the last of each thing. @param {Write[]} changes @returns {Required<Write>} */
function together(changes) {
  /** @type {Map<string, [keyof Write, any]>} */
  const last = new Map();
  for (const { objects = [], removed = [], items = [], dropped = [], facts = {} } of changes) {
    for (const [kind, id] of removed) last.set(`object ${kind} ${id}`, ["removed", [kind, id]]);
    for (const object of objects) last.set(`object ${object.kind} ${object.id}`, ["objects", object]);
    for (const key of dropped) {
      last.set(`item ${key}`, ["dropped", key]);
      last.delete(`fact ${BYTES}${key}`);
    }
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

/** Shows what is stored, and over it what was changed meanwhile; tried again where that fails. @param {Store} store */
function read(store) {
  clearTimeout(store.timer);
  return store.reading ??= readAll(store).catch(() => {
    store.isFailing.value = true;
    store.timer = setTimeout(() => void read(store), AGAIN);
  }).finally(() => (store.reading = null));
}

/** @param {Store} store */
async function readAll(store) {
  const { local, count } = store;
  if (!local) return;
  let before;
  let found;
  do {
    await store.written;
    before = count();
    /** @type {Read} */
    found = await Promise.all([local.readObjects(), local.readItems(), local.facts(REPLACED)]);
    // A change made while reading is not in what was read.
  } while (before !== count());
  // Where nothing was stored, nothing of it can be gone.
  const hasStored = found[0].length > 0;
  const names = store.unwritten.flatMap(({ facts = {} }) => Object.keys(facts));
  const cursors = names.filter((name) => name.startsWith("cursor:"));
  if (hasStored && cursors.length) {
    store.unwritten.push({ facts: Object.fromEntries(cursors.map((name) => [name, undefined])) });
  }
  store.show(found, together(store.unwritten));
  store.isRead = true;
  for (const settle of store.awaited.splice(0)) settle();
  store.isFailing.value = local.kind === "memory";
  if (store.isStarted && hasStored) store.lateReads.value += 1;
  if (store.unwritten.length) void write(store);
}
