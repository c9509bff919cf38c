// Parts of an object in a list, by id: the line items of an estimate, the buttons of a grid.

/** @typedef {{id: string}} Part */

/** How long a change waits that can be taken back, as its offer does: in milliseconds. */
export const UNDO_TIME = 6_000;

/** At the end, once: a part that is there already stays as it is. @template {Part} T @param {T[]} list @param {T} part */
export function added(list, part) {
  return list.some(({ id }) => id === part.id) ? list : [...list, part];
}

/** @template {Part} T @param {T[]} list @param {string} id @param {Partial<T>} fields */
export function edited(list, id, fields) {
  return list.map((part) => part.id === id ? withFields(part, fields) : part);
}

/** @template {Part} T @param {T[]} list @param {string} id */
export function without(list, id) {
  return list.filter((part) => part.id !== id);
}

/** @template {Part} T @param {T[]} list @param {string} id @param {number} index */
export function moved(list, id, index) {
  const part = list.find((entry) => entry.id === id);
  return part ? without(list, id).toSpliced(index, 0, part) : list;
}

/** The object with the fields; null and undefined remove one. @template {object} T @param {T} object @param {Partial<T>} fields @returns {T} */
export function withFields(object, fields) {
  const entries = Object.entries({ ...object, ...fields });
  return /** @type {T} */ (Object.fromEntries(
    entries.filter(([, value]) => value !== undefined && value !== null),
  ));
}

/**
 * Parts with other prices, by their ids. A part whose price somebody has changed meanwhile keeps it.
 * @template {Part & {unitPrice: number}} T
 * @param {T[]} list
 * @param {Readonly<Record<string, readonly [from: number, to: number]>>} prices
 */
export function repriced(list, prices) {
  return list.map((part) => {
    const [from, to] = prices[part.id] ?? [];
    return to !== undefined && part.unitPrice === from ? { ...part, unitPrice: to } : part;
  });
}

/** @param {any} one @param {any} other @returns {boolean} */
export function same(one, other) {
  if (one === other) return true;
  if (one === undefined || one === null) return other === undefined || other === null;
  if (typeof one !== "object" || typeof other !== "object" || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  return Object.keys({ ...one, ...other }).every((name) => same(one[name], other[name]));
}

/**
 * The value, in which all that is as before is the same object as before: it is not drawn again.
 * @param {any} former @param {any} value @returns {any}
 */
export function shared(former, value) {
  if (same(former, value)) return former;
  if (!former || !value || typeof value !== "object") return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shared(former[name], one)]));
  }
  // Entries of a list may have moved.
  const byId = new Map([former].flat().map((entry, at) => [entry?.id ?? at, entry]));
  return value.map((entry, at) => shared(byId.get(entry?.id ?? at), entry));
}

/** The value with every text equal to `from` replaced by `to`. @param {any} value @param {string} from @param {string} to @returns {any} */
export function replaceText(value, from, to) {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((entry) => replaceText(entry, from, to));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, replaceText(entry, from, to)]),
  );
}

/** @typedef {import("../../local/memory.js").Item} Item */

/**
 * Edits of the same fields: the last value, and what was seen before the first. Null where that is the same.
 * @param {Item} earlier
 * @param {Item} later
 * @returns {Item | null}
 */
export function joinFields(earlier, later) {
  const fields = { ...earlier.args.fields, ...later.args.fields };
  const before = { ...later.before, ...earlier.before };
  const isUndone = Object.keys(fields).every((field) =>
    field in before && same(fields[field], before[field])
  );
  return isUndone ? null : joined(earlier, { args: { ...earlier.args, fields }, before });
}

/** The earlier change with other members, as if it had not been refused. @param {Item} earlier @param {Partial<Item>} members @returns {Item} */
export function joined(earlier, members) {
  return { ...earlier, isSent: false, problem: null, ...members };
}
