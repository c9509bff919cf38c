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
