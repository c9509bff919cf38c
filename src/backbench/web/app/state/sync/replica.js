// Replica: this browser's copy of the account's objects, and the changes that wait to be sent. In memory and stored.

import { KIND_NAMES } from "../../domain/kinds.js";
import { REPLACED } from "../../local/memory.js";
import { batch, computed, signal } from "../../vendor/signals-core.js";
import { applied, mutation } from "./mutations.js";
import { shared } from "./same.js";
import { storage } from "./storage.js";

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
