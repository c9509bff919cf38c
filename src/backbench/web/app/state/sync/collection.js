// Collection: values by id, as signals. A change costs what it changes: who reads one value follows that one alone, and a
// list that is made of many is mended where they changed.

import { batch, computed, signal } from "../../vendor/signals-core.js";

/** So many changes are remembered for lists. */
const MOST = 4_000;

/** @template T @typedef {ReturnType<typeof collection<T>>} Collection */

/** @template T */
export function collection() {
  /** @type {Map<string, T>} */
  const values = new Map();
  /** @type {Map<string, import("../../vendor/signals-core.js").Signal<T | undefined>>} */
  const signals = new Map();
  const version = signal(0);
  /** The ids that changed with each of the last versions. @type {string[]} */
  let changed = [];
  return {
    /** All values; whoever reads it follows each of them. @returns {ReadonlyMap<string, T>} */
    get value() {
      void version.value;
      return values;
    },
    /** @returns {ReadonlyMap<string, T>} */
    peek: () => values,
    /** One value; whoever reads it follows no other. @param {string} id @returns {T | undefined} */
    get(id) {
      const known = signals.get(id) ?? signal(values.get(id));
      signals.set(id, known);
      return known.value;
    },
    version,
    /** @param {string} id @param {T | undefined} value undefined: there is none any more */
    set(id, value) {
      if (values.get(id) === value) return;
      if (value === undefined) values.delete(id);
      else values.set(id, value);
      changed.push(id);
      if (changed.length > 2 * MOST) changed = changed.slice(-MOST);
      batch(() => {
        const known = signals.get(id);
        if (known) known.value = value;
        version.value += 1;
      });
    },
    /** The ids that changed after a version; null where that is not remembered. @param {number} since */
    since(since) {
      const count = version.peek() - since;
      return count > changed.length ? null : new Set(changed.slice(changed.length - count));
    },
  };
}

/** @param {string} one @param {string} other */
export function compare(one, other) {
  return one < other ? -1 : Number(one > other);
}

/** `order` gives 0 for an entry and itself. @template S, T @typedef {{sources: readonly Collection<any>[], make: (id: string) => T | undefined, order: (one: T, other: T) => number, scope?: () => unknown}} ListOf */

/**
 * A sorted list of what `make` makes of the ids of the first source, mended where one of the sources has changed; made anew
 * where what `scope` reads has. Entries of which nothing has changed are the same objects as before.
 * @template T
 * @param {ListOf<any, T>} of
 */
export function sorted({ sources, make, order, scope = () => {} }) {
  /** @type {T[]} */
  let list = [];
  /** @type {Map<string, T>} */
  let entries = new Map();
  /** @type {number[]} */
  let versions = [];
  /** @type {unknown} */
  let scoped;
  return computed(() => {
    const of = scope();
    const next = sources.map(({ version }) => version.value);
    const changed = versions.length && of === scoped
      ? sources.map((one, at) => one.since(versions[at] ?? 0))
      : [null];
    [versions, scoped] = [next, of];
    if (changed.some((ids) => ids === null)) {
      const all = [...sources[0]?.peek().keys() ?? []].flatMap((id) => {
        const made = make(id);
        return made === undefined ? [] : [/** @type {const} */ ([id, made])];
      });
      entries = new Map(all);
      return list = [...entries.values()].sort(order);
    }
    for (const id of new Set(changed.flatMap((ids) => [...ids ?? []]))) {
      const [former, made] = [entries.get(id), make(id)];
      if (former === made) continue;
      list = former === undefined ? [...list] : list.toSpliced(place(list, former, order), 1);
      if (made === undefined) entries.delete(id);
      else {
        entries.set(id, made);
        list.splice(place(list, made, order), 0, made);
      }
    }
    return list;
  });
}

/** Where an entry is or belongs in a sorted list. @template T @param {T[]} list @param {T} entry @param {(one: T, other: T) => number} order */
function place(list, entry, order) {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (order(/** @type {T} */ (list[middle]), entry) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
