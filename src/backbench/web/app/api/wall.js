// Wall: reads with an API key, without the cookies of somebody who is signed in on this device.

import { Problem } from "./problems.js";

const TIMEOUT = 15_000;

/** Throws Problem, also where something else than the service answers. @param {string} path @param {string} key */
export async function getWithKey(path, key) {
  const init = { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(TIMEOUT) };
  try {
    const response = await fetch(`/api${path}`, { ...init, credentials: "omit" });
    if (response.ok && response.headers.has("X-Request-Id")) return await response.json();
  } catch (error) {
    // No answer, none in time, or one that ended too early: a display shows the last that it read.
    if (!(error instanceof TypeError || error instanceof DOMException || error instanceof SyntaxError)) {
      throw error;
    }
  }
  throw new Problem(0, "offline");
}
