// Problems: every outcome of a request that is not a success, as one type of error.

/** @typedef {{pointer: string, code: string, detail: string}} FieldError */

/**
 * A request without a successful answer. `status` 0 and `code` "offline" mean that no answer came. `data` is the body,
 * for members such as `limit`, `current` and `gridIds`.
 */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {{errors?: FieldError[], retryAfter?: number | null, requestId?: string, data?: Record<string, unknown>}} [more]
   */
  constructor(status, code, more = {}) {
    super(`${status} ${code}`);
    this.name = "Problem";
    this.status = status;
    this.code = code;
    /** @type {FieldError[]} */
    this.errors = more.errors ?? [];
    /** Seconds until a repetition can succeed, or null. */
    this.retryAfter = more.retryAfter ?? null;
    this.requestId = more.requestId ?? "";
    /** @type {Record<string, unknown>} */
    this.data = more.data ?? {};
  }
}

/** What of a Problem is stored with a waiting change. */
/** @typedef {{status: number, code: string, errors: FieldError[], requestId: string, data: Record<string, unknown>}} StoredProblem */

/** @param {Problem} problem @returns {StoredProblem} */
export function storedProblem({ status, code, errors, requestId, data }) {
  return { status, code, errors, requestId, data };
}

/** @param {unknown} error @returns {error is Problem} */
export function isProblem(error) {
  return error instanceof Problem;
}

/** Whether no answer came. @param {unknown} error */
export function isOffline(error) {
  return isProblem(error) && error.status === 0;
}

/** Whether the same request can succeed later. @param {unknown} error */
export function isTemporary(error) {
  return isProblem(error) &&
    ([0, 408, 429].includes(error.status) || error.status >= 500 || error.code === "in_progress");
}

/** Whether the problem concerns the server as a whole, and not this request alone. @param {Problem} problem */
export function isOutage(problem) {
  return [0, 429, 502, 503, 504].includes(problem.status);
}

/** Whether the object or workshop is gone for this account: the service itself says so, see `client.js`. @param {unknown} error */
export function isGone(error) {
  return isProblem(error) && [403, 404].includes(error.status);
}
