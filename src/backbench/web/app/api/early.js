// Early: addresses and cookies, and requests that were sent before the app could ask for what they bring.

const PREFIX = "/api";
const LATEST = 30_000;
const HEADERS = { Accept: "application/json" };

/** The requests that nobody has taken, by address. @type {Map<string, {token: string, response: Promise<Response>}>} */
const sent = new Map();

/** The address of an operation, for images, links and event streams. @param {string} path @param {Record<string, string | number | boolean | undefined>} [query] */
export function address(path, query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return PREFIX + path + (text && `?${text}`);
}

/** The CSRF token of the session whose cookies this browser has, which the server may have ended; "" without cookies. */
export function csrfToken() {
  const cookies = typeof document === "undefined" ? "" : document.cookie;
  return /(?:^|; )csrf-token=([^;]*)/.exec(cookies)?.[1] ?? "";
}

/**
 * Reads an address for whoever asks for it later; the body, null if it could not be read. Whoever asks later goes on after
 * the caller, who may read further addresses early.
 * @param {string} target @returns {Promise<any>}
 */
export function readEarly(target) {
  const response = fetch(target, { headers: HEADERS, signal: AbortSignal.timeout(LATEST) });
  // Offline, or a page of a proxy: whoever takes the response says so.
  const body = response.then((found) => found.clone().json()).catch(() => null);
  const taken = body.then(() => response);
  taken.catch(() => {});
  sent.set(target, { token: csrfToken(), response: taken });
  return body;
}

/** The response to a request that was sent early with the present cookies, once. @param {string} method @param {string} target */
export function early(method, target) {
  const found = method === "GET" ? sent.get(target) : undefined;
  if (found) sent.delete(target);
  return found?.token === csrfToken() ? found.response : undefined;
}
