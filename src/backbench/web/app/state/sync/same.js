// Equality of JSON values; a member that is absent, undefined or null is the same.

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
