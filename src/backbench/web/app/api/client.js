// Client: sends a request to the API for one session, and tells the server's responses from those of a proxy.
//
// The cookies of a browser can become those of another account at any time: in another page, by a link in an email, by
// Google. So the page's requests are for the session that it was bound to, which its CSRF token names: without that
// cookie nothing is sent, a write carries the token that was bound, so that the server refuses it under another session,
// and a response that came after the cookies changed is no response.

import { address, csrfToken, early } from "./early.js";
import { Problem } from "./problems.js";

/**
 * @typedef {object} Options
 * @property {unknown} [body] sent as JSON
 * @property {FormData} [form] sent instead of `body`
 * @property {Record<string, string | number | boolean | undefined>} [query] without the members that are undefined or ""
 * @property {string | null} [ifMatch]
 * @property {string} [key] the Idempotency-Key
 * @property {string} [bearer] the token of a link
 * @property {AbortSignal} [signal]
 * @property {boolean} [keepalive] it is also sent while the page is closed
 * @property {"json" | "blob"} [as] how the body of the answer is read
 * @property {boolean} [endsSession] the response clears the cookies: what ends the session meanwhile does not break it off
 * @property {boolean} [isPublic] needs no session, or is for whichever the cookies are of: a 401 ends nothing
 */
/** @typedef {keyof Api.Operations} Operation */
/** @template {Operation} T @typedef {Options & Omit<Api.Operations[T], "params" | "response">} Given */
/**
 * Required where the operation has parameters or a body.
 * @template {Operation} T
 * @typedef {{} extends Given<T> ? {} extends Api.Operations[T]["params"]
 *   ? [params?: Api.Operations[T]["params"], options?: Given<T>]
 *   : [params: Api.Operations[T]["params"], options?: Given<T>]
 *   : [params: Api.Operations[T]["params"], options: Given<T>]} Arguments
 */
/** @template T @typedef {{status: number, data: T, etag: string | null, headers: Headers}} Answer */
/** @typedef {(method: string, path: string, options?: Options) => Promise<Answer<any>>} Send */

const TIMEOUT = 30_000;
const UPLOAD_TIMEOUT = 600_000;

/** @type {{expired: () => void, foreign: () => void, reached: (what: "service" | "other" | "nothing") => void}} */
const listeners = { expired: () => {}, foreign: () => {}, reached: () => {} };
/** The CSRF token of the session that requests are for; "" while there is none. */
let bound = "";
let leaving = new AbortController();

/**
 * What is called when the session has ended, when the cookies are of another one, and after each request with what
 * answered: the service, something else such as a proxy without it, or nothing.
 * @param {Partial<typeof listeners>} added
 */
export function listen(added) {
  Object.assign(listeners, added);
}

/** From now on requests are for the session with this CSRF token. @param {string} token */
export function bind(token) {
  bound = token;
}

/** Breaks off what is under way; until `bind` nothing but public requests is sent. */
export function unbind() {
  bound = "";
  leaving.abort();
  leaving = new AbortController();
}

/** Whether the cookies are those of the session that requests are for. */
export const isBound = () => bound !== "" && bound === csrfToken();

/**
 * The body of the response of an operation, such as `GET /orders/{orderId}`, with its parameters of the path and the query.
 * Throws Problem for every other outcome than 2xx.
 * @template {Operation} T
 * @param {T} operation
 * @param {Arguments<T>} given
 * @returns {Promise<Api.Operations[T]["response"]>}
 */
export async function call(operation, ...given) {
  return (await request(operation, ...given)).data;
}

/**
 * As `call`, with the status and the headers.
 * @template {Operation} T
 * @param {T} operation
 * @param {Arguments<T>} given
 * @returns {Promise<Answer<Api.Operations[T]["response"]>>}
 */
export function request(operation, ...given) {
  const [params = {}, options = {}] = /** @type {[params?: object, options?: Options]} */ (given);
  const [method = "", path = ""] = operation.split(" ");
  const query = new Map(Object.entries(params));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = query.get(name);
    query.delete(name);
    return value;
  });
  return send(method, filled, { ...options, query: Object.fromEntries(query) });
}

/**
 * Sends a request. Throws Problem for every other outcome than 2xx.
 * @type {Send}
 */
export async function send(method, path, options = {}) {
  const response = await reach(method, path, options);
  if (!response.ok) throw await problemOf(response, options);
  const data = await bodyOf(response, options.as);
  if (needsSession(options)) requireSession();
  return {
    status: response.status,
    data,
    etag: strong(response.headers.get("ETag")),
    headers: response.headers,
  };
}

/** A proxy that compresses makes a tag weak, which If-Match never matches: the representation is the same. @param {string | null} tag */
const strong = (tag) => tag?.replace(/^W\//, "") ?? null;

/** Whether the session must last until the response. @param {Options} options */
const needsSession = (options) => !options.isPublic && !options.endsSession;

/** Throws Problem where the cookies are not of the session that requests are for. */
function requireSession() {
  if (isBound()) return;
  if (bound) listeners.foreign();
  throw new Problem(0, "other_session");
}

/** @param {string} method @param {string} path @param {Options} options */
async function reach(method, path, options) {
  if (!options.isPublic) requireSession();
  const left = leaving.signal;
  const timeout = AbortSignal.timeout(options.form ? UPLOAD_TIMEOUT : TIMEOUT);
  // Where one of them does not count, the timeout stands for it.
  const signals = [needsSession(options) ? left : timeout, options.signal ?? timeout, timeout];
  const init = {
    method,
    keepalive: options.keepalive ?? false,
    signal: AbortSignal.any ? AbortSignal.any(signals) : options.signal ?? timeout,
    headers: headersOf(method, options),
    body: options.form ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
  };
  const target = address(path, options.query);
  const response = await (early(method, target) ?? fetch(target, init)).catch((error) => {
    if (options.signal?.aborted) throw error;
    if (left.aborted && needsSession(options)) throw new Problem(0, "other_session");
    listeners.reached("nothing");
    throw new Problem(0, "offline");
  });
  // Every response of the service has it. What has none is of a proxy, or of a network that wants a sign-in.
  const isService = response.headers.has("X-Request-Id");
  listeners.reached(isService ? "service" : "other");
  if (!isService) throw new Problem(0, "offline");
  return response;
}

/** @param {string} method @param {Options} options */
function headersOf(method, options) {
  const headers = new Headers({ Accept: options.as === "blob" ? "*/*" : "application/json" });
  if (options.body !== undefined) headers.set("Content-Type", "application/json");
  if (method !== "GET") headers.set("X-CSRF-Token", options.isPublic ? csrfToken() : bound);
  if (options.ifMatch) headers.set("If-Match", options.ifMatch);
  if (options.key) headers.set("Idempotency-Key", options.key);
  if (options.bearer) headers.set("Authorization", `Bearer ${options.bearer}`);
  return headers;
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
  if (needsSession(options)) {
    requireSession();
    if (response.status === 401) listeners.expired();
  }
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
