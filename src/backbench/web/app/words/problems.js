// Problems: the sentence for an error of the API, by its code, never its English `detail`.

/** @typedef {import("./words.js").Words["common"]} Common */
/** @typedef {{pointer: string, code: string}} FieldProblem */
/**
 * What is read of a `Problem` of the API's client.
 * @typedef {{status: number, code?: string | undefined, retryAfter?: number | null | undefined, data?: unknown}} ProblemLike
 */

/**
 * One helpful sentence about what happened and what to do.
 * @param {ProblemLike} problem
 * @param {Common} common
 * @returns {string}
 */
export function explained(problem, common) {
  const { code = "", status, retryAfter } = problem;
  if (code === "rate_limited" && retryAfter) return common.againIn(duration(retryAfter));
  if (code === "plan_limit") return limited(problem.data, common);
  if (code in common.errors) return common.errors[/** @type {keyof Common["errors"]} */ (code)];
  if (status in common.statuses) return common.statuses[/** @type {keyof Common["statuses"]} */ (status)];
  return status >= 500 ? common.errors.internal : common.errors.unexpected;
}

/**
 * The sentence at a field. An unknown code is explained like one of a malformed value.
 * @param {FieldProblem} problem
 * @param {Common} common
 * @returns {string}
 */
export function fieldExplained({ code }, common) {
  return code in common.fields
    ? common.fields[/** @type {keyof Common["fields"]} */ (code)]
    : common.fields.malformed;
}

/**
 * @param {unknown} data the body of the answer
 * @param {Common} common
 */
function limited(data, common) {
  const { limit } = /** @type {{limit?: unknown}} */ (data && typeof data === "object" ? data : {});
  return typeof limit === "number" && limit < 10_000 ? common.limitReached(limit) : common.errors.plan_limit;
}

/** @param {number} seconds */
const duration = (seconds) => seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
