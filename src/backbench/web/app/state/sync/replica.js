// Replica: this browser's copy of the account's objects, and the changes that wait to be sent. In memory and stored.

import { KIND_NAMES } from "../../domain/kinds.js";
import { REPLACED } from "../../local/memory.js";
import { batch, signal } from "../../vendor/signals-core.js";
import { collection } from "./collection.js";
import { shared } from "./values.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("../../local/memory.js").Kind} Kind */
/** @typedef {import("../../local/memory.js").StoredObject} StoredObject */
/** @typedef {import("../../local/memory.js").Write} Write */
/** @template T @typedef {import("../../vendor/signals-core.js").Signal<T>} Signal */
/** @template T @typedef {import("./collection.js").Collection<T>} Collection */
/** @typedef {ReturnType<typeof createReplica>} Replica */

/** What is shown, and how often it changed. @param {string} tab @param {() => number} now @param {() => number} elapsed */
function newState(tab, now, elapsed) {
  return {
    items: /** @type {Signal<Item[]>} */ (signal([])),
    bases: byKind(() => /** @type {Collection<StoredObject>} */ (collection())),
    /** The objects as the person sees them: the base with the waiting changes, in their order. */
    views: byKind(() => /** @type {Collection<any>} */ (collection())),
    /** Waiting changes by object, in their order. */
    pending: /** @type {Collection<Item[]>} */ (collection()),
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
    /** What changes are shown and stored with; before it is loaded there are none. */
    core: /** @type {Core} */ ({}),
  };
}

/** @typedef {ReturnType<typeof newState>} State */
/** @typedef {Pick<typeof import("./core.js"), "applied" | "mutation" | "withPresentIds" | "storage">} Core */

/**
 * `tab` names this page; `announce` tells the account's other pages of this browser what was stored.
 * @param {{tab: string, now?: () => number, elapsed?: () => number, announce?: (change: Write) => void}} options
 */
export function createReplica(
  { tab, now = Date.now, elapsed = () => performance.now(), announce = () => {} },
) {
  const state = newState(tab, now, elapsed);
  const store = stored(state, announce);
  return {
    ...state,
    ...store,
    ...lookups(state),
    /** Shows objects on this page alone, until what is stored was read. @param {StoredObject[]} objects */
    preview: (objects) => show(state, { objects, removed: [], items: [], dropped: [], facts: {} }),
    /** Shows what another page of this browser has stored. @param {Write} change */
    take: (change) => {
      remember(state, { ...change, items: change.items?.map((item) => timed(state, item)) ?? [] });
      if (Object.keys(change.facts ?? {}).some((name) => name.startsWith(REPLACED))) {
        // The creation of what this page has changed was answered there.
        const items = state.items.peek();
        const renamed = items.map((item) => state.core.withPresentIds(item, present(state)));
        void store.commit({ items: renamed.filter((item, at) => item !== items[at]) });
      }
    },
  };
}

/** @param {State} state @param {(change: Write) => void} announce */
function stored(state, announce) {
  /** What was changed before there is what stores it. @type {Write[]} */
  const early = [];
  /** @typedef {ReturnType<Core["storage"]>} Store */
  /** @type {Store | undefined} */
  let store;
  /** @type {(store: Store) => void} */
  let begin;
  /** @type {Promise<Store>} */
  const begun = new Promise((settle) => (begin = settle));
  return {
    /** Called once, with what was loaded. @param {Core} core */
    use: (core) => {
      Object.assign(state.core, core);
      const made = core.storage({
        ...state,
        count: () => state.count,
        show: (read, change) => replaceAll(state, read, change),
        announce,
      });
      store = made;
      for (const change of early) void made.save(change);
      begin(made);
    },
    /** Makes a change at once, and stores it. @param {Write} change */
    commit: (change) => {
      remember(state, change);
      if (store) return store.save(change);
      early.push(change);
      return Promise.resolve();
    },
    /** Shows what is stored for an account: once in the life of a page. What takes long is shown later. @param {import("../../local/memory.js").Local} opened */
    attach: async (opened) => await (await begun).attach(opened),
    /** Reads again what other pages have stored, after this one was asleep. */
    reload: async () => await store?.reload(),
    /** Reads and stores at once what could not be. */
    retry: async () => await store?.retry(),
    /** Once it was tried to store all changes. */
    saved: async () => await store?.saved(),
    /** What the server has, too: undefined where it cannot be read. @param {string} key */
    fact: async (key) =>
      store ? await store.fact(key) : early.findLast(({ facts = {} }) => key in facts)?.facts?.[key],
    /** What nobody else has: it waits until it can be read. It is read before what is written after the call. @param {string} key @returns {Promise<any>} */
    ownFact: (key) => store ? store.ownFact(key) : begun.then((made) => made.ownFact(key)),
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

/**
 * Shows an object anew, where its base or a change of it is another; not where a change was only sent.
 * @param {State} state @param {Kind} kind @param {string} id @param {StoredObject | undefined} base before @param {readonly Item[]} items before
 */
function look(state, kind, id, base, items) {
  const present = state.bases[kind].peek().get(id);
  const next = state.pending.peek().get(id) ?? [];
  if (present === base && lookSame(ofKind(items, kind), ofKind(next, kind))) return;
  const waiting = ofKind(next, kind);
  // Before the core is there, nothing waits.
  const value = waiting.length ? waiting.reduce(state.core.applied, present?.value) : present?.value;
  const former = state.views[kind].peek().get(id);
  state.views[kind].set(id, present === base ? value : shared(former, value));
}

/** @param {readonly Item[]} items @param {Kind} kind */
function ofKind(items, kind) {
  return items.filter((item) => item.kind === kind);
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
  show(state, { objects, removed, items, dropped, facts });
}

/** @param {State} state @param {Required<Write>} change */
function show(state, { objects, removed, items, dropped, facts }) {
  batch(() => {
    /** What is looked at anew, as it was before. @type {Map<string, [Kind, string, StoredObject | undefined, readonly Item[]]>} */
    const former = new Map();
    const note = (/** @type {Kind} */ kind, /** @type {string} */ id) => {
      if (former.has(`${kind}/${id}`)) return;
      former.set(`${kind}/${id}`, [
        kind,
        id,
        state.bases[kind].peek().get(id),
        state.pending.peek().get(id) ?? [],
      ]);
    };
    for (const [kind, id] of removed) {
      note(kind, id);
      state.bases[kind].set(id, undefined);
    }
    for (const object of objects) {
      const { kind, id } = object;
      note(kind, id);
      const value = shared(state.bases[kind].peek().get(id)?.value, object.value);
      state.bases[kind].set(id, { ...object, value });
    }
    if (items.length || dropped.length) rememberItems(state, items, dropped, note);
    for (const one of former.values()) look(state, ...one);
    rememberReplaced(state, Object.entries(facts));
  });
}

/** @param {State} state @param {Item[]} items @param {string[]} dropped @param {(kind: Kind, id: string) => void} note */
function rememberItems(state, items, dropped, note) {
  const gone = new Set([...dropped, ...items.map(({ key }) => key)]);
  const before = state.items.peek();
  const next = [...before.filter(({ key }) => !gone.has(key)), ...items].sort(byOrder);
  const concerned = [...before.filter(({ key }) => gone.has(key)), ...items];
  for (const { kind, objectId } of concerned) note(kind, objectId);
  state.items.value = next;
  for (const id of new Set(concerned.map(({ objectId }) => objectId))) {
    const all = next.filter(({ objectId }) => objectId === id);
    state.pending.set(id, all.length ? all : undefined);
  }
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
function timed(state, item) {
  const { core, elapsed } = state;
  const queuedAt = elapsed();
  const delay = core.mutation(item.op).delay ?? 0;
  const notBefore = item.attempts > 0 ? 0 : queuedAt + delay;
  return core.withPresentIds({ ...item, queuedAt, notBefore }, present(state));
}

/** @param {State} state @returns {(id: string) => string} */
const present = ({ replaced }) => (id) => replaced.peek().get(id) ?? id;

/**
 * What was read, with the change over it: at no moment without what waits.
 * @param {State} state @param {[StoredObject[], Item[], Map<string, string>]} read @param {Write} change
 */
function replaceAll(state, [objects, items, replaced], change) {
  state.count += 1;
  batch(() => {
    const former = KIND_NAMES.flatMap((kind) => [...state.bases[kind].peek().values()]);
    const keys = new Set(objects.map(({ kind, id }) => `${kind}/${id}`));
    const known = objects.filter(({ kind }) => KIND_NAMES.includes(kind));
    state.replaced.value = new Map([...replaced].map(([key, id]) => [key.slice(REPLACED.length), id]));
    const timedItems = items.map((item) => timed(state, item));
    const found = new Set(items.map(({ key }) => key));
    show(state, {
      facts: {},
      removed: former.filter(({ kind, id }) => !keys.has(`${kind}/${id}`)).map(({ kind, id }) => [kind, id]),
      objects: known,
      items: timedItems,
      dropped: state.items.peek().filter(({ key }) => !found.has(key)).map(({ key }) => key),
    });
    remember(state, change);
  });
}
