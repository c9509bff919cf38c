// Values: objects with other fields, and what of one is as before.

/** How long a change waits that can be taken back, as its offer does: in milliseconds. */
export const UNDO_TIME = 6_000;

/** The object with the fields; null and undefined remove one. @template {object} T @param {T} object @param {Partial<T>} fields @returns {T} */
export function withFields(object, fields) {
  const entries = Object.entries({ ...object, ...fields });
  return /** @type {T} */ (Object.fromEntries(
    entries.filter(([, value]) => value !== undefined && value !== null),
  ));
}

/** @param {any} one @param {any} other @param {readonly string[]} [without] members of objects that are not compared @returns {boolean} */
export function same(one, other, without = []) {
  if (one === other) return true;
  if (one === undefined || one === null) return other === undefined || other === null;
  if (typeof one !== "object" || typeof other !== "object" || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  return Object.keys({ ...one, ...other }).every((name) =>
    without.includes(name) || same(one[name], other[name], without)
  );
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
