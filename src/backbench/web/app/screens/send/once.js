// Once: what is repeated after a lost answer is not done twice.

import { isTemporary } from "../../api/problems.js";
import { newId } from "../../domain/ids.js";

/**
 * With the same Idempotency-Key until there is an answer.
 * @template T
 * @param {{ keys: Map<string, string> }} sending
 * @param {string} intent
 * @param {(key: string) => Promise<T>} work
 */
export async function once(sending, intent, work) {
  const key = sending.keys.get(intent) ?? newId();
  sending.keys.set(intent, key);
  try {
    const done = await work(key);
    sending.keys.delete(intent);
    return done;
  } catch (error) {
    if (!isTemporary(error)) sending.keys.delete(intent);
    throw error;
  }
}
