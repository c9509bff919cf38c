// Problems: the sentence for an error of the API, by its code, never its English `detail`.

import { errorWords } from "./errors.js";

/** @typedef {{pointer: string, code: string}} FieldProblem */
/**
 * What is read of a `Problem` of the API's client.
 * @typedef {{status: number, code?: string | undefined, retryAfter?: number | null | undefined, data?: unknown}} ProblemLike
 */

/**
 * One helpful sentence about what happened and what to do.
 * @param {ProblemLike} problem
 * @returns {string}
 */
export function explained(problem) {
  const { errors, statuses, againIn } = errorWords.value;
  const { code = "", status, retryAfter } = problem;
  if (code === "rate_limited" && retryAfter) return againIn(duration(retryAfter));
  if (code === "plan_limit") return limited(problem.data);
  if (code in errors) return errors[/** @type {keyof typeof errors} */ (code)];
  if (status in statuses) return statuses[/** @type {keyof typeof statuses} */ (status)];
  return status >= 500 ? errors.internal : errors.unexpected;
}

/**
 * The sentence at a field. An unknown code is explained like one of a malformed value.
 * @param {FieldProblem} problem
 * @returns {string}
 */
export function fieldExplained({ code }) {
  const { fields } = errorWords.value;
  return code in fields ? fields[/** @type {keyof typeof fields} */ (code)] : fields.malformed;
}

/** @param {unknown} data the body of the answer */
function limited(data) {
  const { errors, limitReached } = errorWords.value;
  const { limit } = /** @type {{limit?: unknown}} */ (data && typeof data === "object" ? data : {});
  return typeof limit === "number" && limit < 10_000 ? limitReached(limit) : errors.plan_limit;
}

/** @param {number} seconds */
const duration = (seconds) => seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
