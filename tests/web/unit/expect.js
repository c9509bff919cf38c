// Expectations of the unit tests, without a library: a difference throws, with both values.

/**
 * @param {unknown} found
 * @param {unknown} expected
 */
export function same(found, expected) {
  const [left, right] = [written(found), written(expected)];
  if (left !== right) throw new Error(`found ${left}\nexpected ${right}`);
}

/**
 * @param {unknown} condition
 * @param {string} [explanation]
 */
export function holds(condition, explanation = "the condition does not hold") {
  if (!condition) throw new Error(explanation);
}

/** @param {() => unknown} work */
export function throws(work) {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}

/** @param {unknown} value */
function written(value) {
  const text = JSON.stringify(value, (_, part) => typeof part === "bigint" ? `${part}n` : part, 1);
  // Without the narrow and non-breaking spaces of `Intl`, which differ by version.
  return text?.replace(/[\u00A0\u202F]/g, " ");
}
