// Units of lines: which add one at a tap, and which take the digits that follow.

/** @typedef {"sqm" | "linear_m" | "piece" | "pair" | "hour" | "job" | "freeform"} Unit */

/** In the order in which they are offered. @type {readonly Unit[]} */
export const UNITS = ["piece", "job", "hour", "sqm", "linear_m", "pair", "freeform"];

/** @type {ReadonlySet<Unit>} */
const COUNTED = new Set(/** @type {Unit[]} */ (["piece", "pair", "job"]));

/**
 * Measured units also take the digits that are typed after the tap, as their quantity.
 * @param {Unit} unit
 */
export function isMeasured(unit) {
  return !COUNTED.has(unit);
}
