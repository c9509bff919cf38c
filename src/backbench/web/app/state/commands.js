// Commands: what only the server can do, and the person waits for. None is done twice because a response was lost.

import { call } from "../api/client.js";
import { isTemporary } from "../api/problems.js";
import { newId } from "../domain/ids.js";

/** The Idempotency-Keys of commands without a response, by what was intended. @type {Map<string, string>} */
const keys = new Map();

/**
 * Runs `work` with an Idempotency-Key, and with the same one again for the same intent until there is a response: what was
 * done before a response got lost is not done again, whichever button is pressed. Throws Problem.
 * @template T
 * @param {unknown} intent all that makes it this command and no other: its name, its objects and its body
 * @param {(key: string) => Promise<T>} work
 */
export async function command(intent, work) {
  const name = JSON.stringify(intent);
  const key = keys.get(name) ?? newId();
  keys.set(name, key);
  try {
    const done = await work(key);
    keys.delete(name);
    return done;
  } catch (error) {
    if (!isTemporary(error)) keys.delete(name);
    throw error;
  }
}

/**
 * Calls an operation as one intent: its repetition with the same parameters and options sends the same key. Throws Problem.
 * @template {import("../api/client.js").Operation} T
 * @param {T} operation
 * @param {Api.Operations[T]["params"]} params
 * @param {Partial<Omit<import("../api/client.js").Given<T>, "form">>} [options]
 * @returns {Promise<Api.Operations[T]["response"]>}
 */
export const once = (operation, params, options = {}) =>
  command(
    [operation, params, options],
    (key) => /** @type {any} */ (call)(operation, params, { ...options, key }),
  );
