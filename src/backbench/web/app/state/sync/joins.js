// Joins: two changes that have not been sent become one.

import { same } from "./same.js";

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
