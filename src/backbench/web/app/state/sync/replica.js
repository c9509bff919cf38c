// Replica: this browser's copy of the account's objects, and the changes that wait to be sent. In memory and stored.

import { KIND_NAMES } from "../../domain/kinds.js";
import { REPLACED } from "../../local/memory.js";
import { idle } from "../../local/painted.js";
import { batch, computed, signal } from "../../vendor/signals-core.js";
import { applied, mutation } from "./mutations.js";
import { shared } from "./parts.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("../../local/memory.js").Kind} Kind */
/** @typedef {import("../../local/memory.js").StoredObject} StoredObject */
/** @typedef {import("../../local/memory.js").Write} Write */
/** @typedef {ReadonlyMap<string, StoredObject>} Base */
/** @template T @typedef {import("../../vendor/signals-core.js").Signal<T>} Signal */
/** @template T @typedef {import("../../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */
/** @typedef {ReturnType<typeof createReplica>} Replica */

/** What is shown, and how often it changed. @param {string} tab @param {() => number} now @param {() => number} elapsed */
function newState(tab, now, elapsed) {
  return {
    items: /** @type {Signal<Item[]>} */ (signal([])),
    bases: byKind(emptyBase),
    /** Ids of the server by the local ids that they replaced. */
    replaced: /** @type {Signal<ReadonlyMap<string, string>>} */ (signal(new Map())),
    /** Whether changes are in memory only: storing has failed, or the browser refuses it. */
    isFailing: signal(false),
    /** Counts readings of what is stored, but for that of the start. */
    lateReads: signal(0),
    /** Counts the changes in memory; `touched` has the count at which an object last changed. */
    count: 0,
    touched: /** @type {Map<string, number>} */ (new Map()),
    tab,
    /** The time of day, which can be set back. */
    now,
    /** By a clock of this page that never goes back: for delays. */
    elapsed,
  };
}

/** @typedef {ReturnType<typeof newState>} State */

/**
 * `tab` names this page; `announce` tells the account's other pages of this browser what was stored.
 * @param {{tab: string, now?: () => number, elapsed?: () => number, announce?: (change: Write) => void}} options
 */
export function createReplica(
  { tab, now = Date.now, elapsed = () => performance.now(), announce = () => {} },
) {
  const state = newState(tab, now, elapsed);
  const store = storage({
    ...state,
    count: () => state.count,
    show: (read, change) => replaceAll(state, read, change),
    announce,
  });
  const pending = computed(() => byObject(state.items.value));
  return {
    ...state,
    ...store,
    ...lookups(state),
    /** Waiting changes by object, in their order. */
    pending,
    /** The objects as the person sees them: the base with the waiting changes, in their order. */
    views: byKind((kind) => viewOf(state.bases[kind], state.items, kind)),
    /** Shows what another page of this browser has stored. @param {Write} change */
    take: (change) =>
      remember(state, { ...change, items: change.items?.map((item) => timed(state, item)) ?? [] }),
    /** Makes a change at once, and stores it. @param {Write} change */
    commit: (change) => {
      remember(state, change);
      return store.save(change);
    },
  };
}

/** @param {State} state */
function lookups(state) {
  return {
    sequence: () => state.count,
    /** Whether an object has changed since `sequence` was read. @param {Kind} kind @param {string} id @param {number} sequence */
    touchedSince: (kind, id, sequence) => (state.touched.get(`${kind}/${id}`) ?? 0) > sequence,
    /** @param {string} id */
    presentId: (id) => state.replaced.value.get(id) ?? id,
    /** @param {Kind} kind @param {string} id */
    base: (kind, id) => state.bases[kind].peek().get(id),
    /** @param {string} key */
    item: (key) => state.items.peek().find((item) => item.key === key),
  };
}

/** @template T @param {(kind: Kind) => T} make */
function byKind(make) {
  return /** @type {Record<Kind, T>} */ (Object.fromEntries(KIND_NAMES.map((kind) => [kind, make(kind)])));
}

function emptyBase() {
  return /** @type {Signal<Base>} */ (signal(new Map()));
}

/** @param {Item[]} items */
function byObject(items) {
  /** @type {Map<string, Item[]>} */
  const found = new Map();
  for (const item of items) found.set(item.objectId, [...(found.get(item.objectId) ?? []), item]);
  return found;
}

/**
 * Computed anew where an object of the kind looks different, not where its change was sent.
 * @param {Signal<Base>} base @param {Signal<Item[]>} items @param {Kind} kind
 */
function viewOf(base, items, kind) {
  /** @type {Item[]} */
  let former = [];
  const changes = computed(() => {
    const next = items.value.filter((item) => item.kind === kind);
    return former = lookSame(former, next) ? former : next;
  });
  return computed(() => {
    /** @type {Map<string, any>} */
    const view = new Map();
    for (const [id, entry] of base.value) view.set(id, entry.value);
    for (const item of changes.value) {
      const object = applied(view.get(item.objectId), item);
      if (object) view.set(item.objectId, object);
      else view.delete(item.objectId);
    }
    return view;
  });
}

/** @param {Item[]} some @param {Item[]} others */
function lookSame(some, others) {
  return some.length === others.length && some.every(({ objectId, args, problem }, at) => {
    const other = others[at];
    return objectId === other?.objectId && args === other.args && problem === other.problem;
  });
}

/** Makes a change in memory. @param {State} state @param {Write} change */
function remember(state, { objects = [], removed = [], items = [], dropped = [], facts = {} }) {
  state.count += 1;
  for (const { kind, id } of objects) state.touched.set(`${kind}/${id}`, state.count);
  for (const [kind, id] of removed) state.touched.set(`${kind}/${id}`, state.count);
  batch(() => {
    const kinds = new Set([...objects.map(({ kind }) => kind), ...removed.map(([kind]) => kind)]);
    for (const kind of kinds) rememberBase(state.bases[kind], kind, objects, removed);
    if (items.length || dropped.length) {
      const gone = new Set([...dropped, ...items.map(({ key }) => key)]);
      const rest = state.items.peek().filter(({ key }) => !gone.has(key));
      state.items.value = [...rest, ...items].sort(byOrder);
    }
    rememberReplaced(state, Object.entries(facts));
  });
}

/** @param {Signal<Base>} base @param {Kind} kind @param {StoredObject[]} objects @param {[Kind, string][]} removed */
function rememberBase(base, kind, objects, removed) {
  const mine = objects.filter((object) => object.kind === kind);
  const gone = removed.filter(([of]) => of === kind);
  const next = new Map(base.peek());
  for (const [, id] of gone) next.delete(id);
  for (const object of mine) {
    next.set(object.id, { ...object, value: shared(next.get(object.id)?.value, object.value) });
  }
  base.value = next;
}

/** @param {State} state @param {[string, unknown][]} facts */
function rememberReplaced(state, facts) {
  const added = facts.filter(([key]) => key.startsWith(REPLACED));
  if (!added.length) return;
  const next = new Map(state.replaced.peek());
  for (const [key, id] of added) next.set(key.slice(REPLACED.length), String(id));
  state.replaced.value = next;
}

/** @param {string} localId @param {string} id @returns {Record<string, string>} */
export function replacement(localId, id) {
  return { [REPLACED + localId]: id };
}

/** @param {Item} one @param {Item} other */
function byOrder(one, other) {
  return one.order - other.order || (one.key < other.key ? -1 : 1);
}

/** A change from elsewhere, whose times are of another page's clock: what delays it begins anew. @param {State} state @param {Item} item @returns {Item} */
function timed({ elapsed }, item) {
  const queuedAt = elapsed();
  return { ...item, queuedAt, notBefore: item.attempts > 0 ? 0 : queuedAt + (mutation(item.op).delay ?? 0) };
}

/**
 * What was read, with the change over it: at no moment without what waits.
 * @param {State} state @param {[StoredObject[], Item[], Map<string, string>]} read @param {Write} change
 */
function replaceAll(state, [objects, items, replaced], change) {
  state.count += 1;
  const found = byKind(() => /** @type {Map<string, StoredObject>} */ (new Map()));
  for (const object of objects) found[object.kind]?.set(object.id, object);
  batch(() => {
    for (const kind of KIND_NAMES) state.bases[kind].value = found[kind];
    state.items.value = items.map((item) => timed(state, item)).sort(byOrder);
    state.replaced.value = new Map([...replaced].map(([key, id]) => [key.slice(REPLACED.length), id]));
    remember(state, change);
  });
}

// Storage of the replica: reads and writes the local database. A change is given to the database in the task that shows
// it, since the page may be closed at any time; only while many objects wait for an idle moment it follows them. What
// could not be written is written with the next change.

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
function storage(shown) {
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
  return { ...shown, local: null, written, ...state };
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
  if (!store.local) return;
  store.unwritten.push(change);
  if ((change.objects ?? []).length > MANY) store.later ??= idle().finally(() => (store.later = null));
  await write(store);
  store.announce(change);
}

/**
 * `written` settles when the last write was tried; `unwritten` and what the database is `writing` are in their order.
 * Nothing is written before what is stored was read, and without that there are no facts: a cursor without its objects
 * would leave them out for ever.
 * @typedef {Shown & {local: Local | null, written: Promise<void>, unwritten: Write[], writing: Write[], later: Promise<void> | null, reading: Promise<void> | null, isRead: boolean, isStarted: boolean, timer?: ReturnType<typeof setTimeout> | undefined}} Store
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
    await new Promise((settle) => setTimeout(settle, WHILE));
  }
}

/** Not after the writes before it: the database keeps their order. @param {Store} store */
function write(store) {
  const done = store.later?.then(() => flush(store)) ?? flush(store);
  return store.written = Promise.all([store.written, done]).then(() => {});
}

/** @param {Store} store */
async function flush(store) {
  const { local, unwritten } = store;
  if (!local || !store.isRead || !unwritten.length) return;
  clearTimeout(store.timer);
  store.unwritten = [];
  store.writing.push(...unwritten);
  try {
    await local.write(together(unwritten));
    store.writing = store.writing.filter((change) => !unwritten.includes(change));
    if (!store.unwritten.length) store.isFailing.value = local.kind === "memory";
  } catch {
    // Full, closed or refused by the browser: errors of several names. Later ones are written again after it.
    store.unwritten = [...store.writing, ...store.unwritten];
    store.writing = [];
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
  store.isFailing.value = local.kind === "memory";
  if (store.isStarted && hasStored) store.lateReads.value += 1;
  if (store.unwritten.length) void write(store);
}
