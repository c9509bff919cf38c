// Wall: reads with an API key, without the cookies of somebody who is signed in on this device.

import { Problem } from "./problems.js";

/** A display hangs for hours where a response never comes. */
const TIMEOUT = 20_000;

/** Throws Problem. @param {string} path @param {string} key */
export async function getWithKey(path, key) {
  const response = await fetched(path, key);
  if (!response.ok) throw new Problem(response.status, "");
  try {
    return await response.json();
  } catch {
    // A page of a proxy, or a connection that ended within the body.
    throw new Problem(0, "offline");
  }
}

/** @param {string} path @param {string} key */
async function fetched(path, key) {
  try {
    return await fetch(`/api${path}`, {
      headers: { authorization: `Bearer ${key}` },
      credentials: "omit",
      signal: AbortSignal.timeout(TIMEOUT),
    });
  } catch {
    throw new Problem(0, "offline");
  }
}
