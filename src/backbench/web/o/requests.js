// Requests of the status page. The token is in the fragment of the address, which browsers do not send; it leaves the page
// only as a bearer token to the API.

const API = "/api/client/order";
const TIMEOUT_MS = 30_000;
const DEFAULT_WAIT = 10;
let token = "";

/** Takes the token from the address. Returns whether there is one. */
export function readToken() {
  token = location.hash.slice(1);
  return token !== "";
}

/** The response, null where there is none. With the cookies of a member, the response names the order for the app. */
export async function request(path = "", body = undefined) {
  const headers = { Authorization: `Bearer ${token}` };
  if (body) headers["Content-Type"] = "application/json";
  try {
    return await fetch(API + path, {
      method: body ? "POST" : "GET",
      headers,
      credentials: body ? "omit" : "same-origin",
      body: body && JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.timeout?.(TIMEOUT_MS),
    });
  } catch {
    return null;
  }
}

/** Whether the same request can succeed later, after `secondsToWait`. */
export const isBusy = (response) => response.status === 429 || response.status === 503;

export function secondsToWait(response) {
  const seconds = Number.parseInt(response.headers.get("Retry-After"), 10);
  return seconds > 0 ? seconds : DEFAULT_WAIT;
}
