// Wall: reads with an API key, without the cookies of somebody who is signed in on this device.

import { Problem } from "./problems.js";

/** Throws Problem. @param {string} path @param {string} key */
export async function getWithKey(path, key) {
  const response = await fetched(path, key);
  if (!response.ok) throw new Problem(response.status, "");
  return await response.json();
}

/** @param {string} path @param {string} key */
async function fetched(path, key) {
  try {
    return await fetch(`/api${path}`, { headers: { authorization: `Bearer ${key}` }, credentials: "omit" });
  } catch (error) {
    if (error instanceof TypeError) throw new Problem(0, "offline");
    throw error;
  }
}
