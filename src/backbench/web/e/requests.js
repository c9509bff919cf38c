// Requests of a page that is opened by a link. Its token is in the fragment of the address, and sent as a bearer token only.

const API = location.pathname.startsWith("/o/") ? "/api/client/order" : "/api/client/estimate";
const TIMEOUT_MS = 30_000;
const DEFAULT_WAIT = 10;
let token = "";
// By path and body: a request that is repeated, because its response was lost, is executed once.
const keys = new Map();
const contentOf = (path, body) => path + JSON.stringify(body);

/** Takes the token from the address. Returns whether there is one. */
export function readToken() {
  token = location.hash.slice(1);
  return token !== "";
}

/** The response, null where there is none: none from our server, or one whose body was cut off. */
export async function request(path, { method = "GET", body, credentials = "omit" } = {}) {
  const headers = { Authorization: `Bearer ${token}` };
  if (body) {
    const content = contentOf(path, body);
    // Without https there is no `crypto.randomUUID`.
    if (!keys.has(content)) keys.set(content, crypto.getRandomValues(new Uint32Array(4)).join("-"));
    headers["Content-Type"] = "application/json";
    headers["Idempotency-Key"] = keys.get(content);
  }
  try {
    const response = await fetch(API + path, {
      method,
      headers,
      credentials,
      body: body && JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.timeout?.(TIMEOUT_MS),
    });
    await response.clone().arrayBuffer();
    return response.ok && !response.headers.has("X-Request-Id") ? null : response;
  } catch {
    return null;
  }
}

/** Once it has arrived: the same content is another request from now on. */
export const deleteKey = (path, body) => keys.delete(contentOf(path, body));

/** Whether the same request can succeed later, after `secondsToWait`. */
export const isBusy = (response) => response.status === 429 || response.status === 503;

export function secondsToWait(response) {
  const seconds = Number.parseInt(response.headers.get("Retry-After"), 10);
  return seconds > 0 ? seconds : DEFAULT_WAIT;
}
