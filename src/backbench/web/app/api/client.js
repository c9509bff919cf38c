// Client: sends a request to the API with the session's cookies and the CSRF token.

import { Problem } from "./problems.js";

/**
 * @typedef {object} Options
 * @property {unknown} [body] sent as JSON
 * @property {FormData} [form] sent instead of `body`
 * @property {Record<string, string | number | boolean | undefined>} [query] without the members that are undefined or ""
 * @property {string | null} [ifMatch]
 * @property {string} [key] the Idempotency-Key
 * @property {AbortSignal} [signal]
 * @property {"json" | "blob"} [as] how the body of the answer is read
 * @property {boolean} [isPublic] the operation needs no session: a 401 does not mean that the session has ended
 * @property {boolean} [keepalive] the request outlives the page; at most 64 KiB
 */
/** @template T @typedef {{status: number, data: T, etag: string | null, headers: Headers}} Answer */
/** @typedef {(method: string, path: string, options?: Options) => Promise<Answer<any>>} Send */

const PREFIX = "/api";
const TIMEOUT = 30_000;
const UPLOAD_TIMEOUT = 600_000;

/** @type {{expired: () => void, reached: (isReached: boolean) => void}} */
const listeners = { expired: () => {}, reached: () => {} };

/**
 * What is called when a session has ended, and after each request with whether the server answered.
 * @param {Partial<typeof listeners>} added
 */
export function listen(added) {
  Object.assign(listeners, added);
}

/**
 * Sends a request. Throws Problem for every other outcome than 2xx.
 * @type {Send}
 */
export async function send(method, path, options = {}) {
  const response = await reach(method, path, options);
  if (!response.ok) throw await problemOf(response, options);
  const data = await bodyOf(response, options.as);
  return { status: response.status, data, etag: response.headers.get("ETag"), headers: response.headers };
}

/** The address of an operation, for images, links and event streams. @param {string} path @param {Options["query"]} [query] */
export function address(path, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return PREFIX + path + (text && `?${text}`);
}

/** @param {string} method @param {string} path @param {Options} options */
async function reach(method, path, options) {
  const timeout = AbortSignal.timeout(options.form ? UPLOAD_TIMEOUT : TIMEOUT);
  const signal = options.signal && AbortSignal.any
    ? AbortSignal.any([options.signal, timeout])
    : options.signal ?? timeout;
  const init = {
    method,
    signal,
    headers: headersOf(method, options),
    body: options.form ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
    keepalive: options.keepalive ?? false,
  };
  try {
    const response = await fetch(address(path, options.query), init);
    listeners.reached(true);
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    listeners.reached(false);
    throw new Problem(0, "offline");
  }
}

/** @param {string} method @param {Options} options */
function headersOf(method, options) {
  const headers = new Headers({ Accept: options.as === "blob" ? "*/*" : "application/json" });
  if (options.body !== undefined) headers.set("Content-Type", "application/json");
  if (method !== "GET") headers.set("X-CSRF-Token", csrfToken());
  if (options.ifMatch) headers.set("If-Match", options.ifMatch);
  if (options.key) headers.set("Idempotency-Key", options.key);
  return headers;
}

/** Whether this browser has the cookies of a session, which the server may have ended. */
export const hasCookies = () => csrfToken() !== "";

function csrfToken() {
  const cookies = typeof document === "undefined" ? "" : document.cookie;
  return /(?:^|; )csrf-token=([^;]*)/.exec(cookies)?.[1] ?? "";
}

/** @param {Response} response @param {Options["as"]} as */
async function bodyOf(response, as) {
  try {
    if (as === "blob") return await response.blob();
    const text = await response.text();
    return text ? JSON.parse(text) : null;
  } catch {
    // The connection ended within the body, or a proxy sent a page of its own.
    throw new Problem(0, "offline");
  }
}

/** @param {Response} response @param {Options} options */
async function problemOf(response, options) {
  if (response.status === 401 && !options.isPublic) listeners.expired();
  const data = await problemBody(response);
  return new Problem(response.status, data.code ?? String(response.status), {
    errors: data.errors,
    retryAfter: secondsOf(response.headers.get("Retry-After")),
    requestId: data.requestId ?? response.headers.get("X-Request-Id") ?? "",
    data,
  });
}

/** @param {Response} response */
async function problemBody(response) {
  try {
    return JSON.parse(await response.text() || "{}");
  } catch {
    return {};
  }
}

/** @param {string | null} value */
function secondsOf(value) {
  if (!value) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}
