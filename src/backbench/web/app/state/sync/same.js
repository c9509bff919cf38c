// Equality of JSON values; a member that is absent, undefined or null is the same.

/** @param {any} one @param {any} other @returns {boolean} */
export function same(one, other) {
  if (one === other) return true;
  if (one === undefined || one === null) return other === undefined || other === null;
  if (typeof one !== "object" || typeof other !== "object" || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => same(one[name], other[name]));
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
