// Shown: a write that a person asks for while an object is on the screen. What was seen is written, or nothing.

import { isProblem, Problem } from "../api/problems.js";

/**
 * `look` gives what is shown of the object, `tag` the ETag with which the server gave it, or null, and `load` reads it again.
 * @typedef {{ seen: string, look: () => string, tag: () => string | null, load: () => Promise<unknown> }} Shown
 */

// Each time another write of the object came first and changed nothing that is shown.
const MAX_ROUNDS = 5;

/**
 * Writes with If-Match. A tag is older than the server's also where nobody else changed anything: the address of a client
 * that was just saved is no part of the estimate, and yet the estimate has a new tag. So after a 412 the object is loaded
 * again, and where what is shown is what was seen, the write is repeated. Throws Problem `precondition_failed` where it is
 * not: then what somebody else has changed is shown.
 * @template T
 * @param {Shown} shown
 * @param {(tag: string | null) => Promise<T>} write
 * @returns {Promise<T>}
 */
export async function writeSeen({ seen, look, tag, load }, write) {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // A list gives no tag.
    if (round > 0 || tag() === null) await load();
    if (look() !== seen) break;
    try {
      return await write(tag());
    } catch (error) {
      if (!isProblem(error) || error.status !== 412) throw error;
    }
  }
  throw new Problem(412, "precondition_failed");
}
