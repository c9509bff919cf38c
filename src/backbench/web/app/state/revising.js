// Revising: an estimate is confirmed, or gets the content of a revision, as it was seen. Needs a connection.

import { call, request } from "../api/client.js";
import { isProblem, Problem } from "../api/problems.js";
import { command } from "./commands.js";
import { keep, openEstimate } from "./estimates.js";
import { replica, settle } from "./outbox.js";
import { shown } from "./records.js";

/**
 * Confirms what was seen: `content` computes what is shown. Needs a connection. Throws Problem, `precondition_failed` where
 * somebody has changed it: then that is shown.
 * @param {string} id @param {string} seen @param {() => string} content
 */
export async function confirmEstimate(id, seen, content) {
  const present = await settle(id);
  const { estimate: confirmed } = await writeSeen(
    seenOf(present, seen, content),
    (ifMatch) =>
      command(
        ["confirm", present, seen],
        (key) => call("POST /estimates/{estimateId}/confirm", { estimateId: present }, { key, ifMatch }),
      ),
  );
  await keep(confirmed, null);
}

/** @typedef {Required<Pick<Api.EstimateEdit, "name" | "markupPercent" | "discountPercent" | "lineItems">>} Content */

/**
 * Gives the estimate another content, such as that of a revision. Returns the one that it had. Needs a connection. Throws
 * Problem, as `confirmEstimate`.
 * @param {string} id @param {Content} content @returns {Promise<Content>}
 */
export async function replaceContent(id, content) {
  const present = await settle(id);
  await openEstimate(present);
  const look = () => JSON.stringify(contentOf(present));
  const seen = look();
  const { data, etag } = await writeSeen(
    seenOf(present, seen, look),
    (ifMatch) =>
      request("PATCH /estimates/{estimateId}", { estimateId: present }, { body: content, ifMatch }),
  );
  await keep(data, etag);
  return JSON.parse(seen);
}

/** @param {string} id @returns {Content} */
function contentOf(id) {
  const found = shown("estimate", id);
  if (!found) throw new Problem(404, "404");
  const { name, markupPercent, discountPercent, lineItems } = found;
  return { name, markupPercent, discountPercent, lineItems };
}

/** @param {string} id @param {string} seen @param {() => string} look @returns {Shown} */
function seenOf(id, seen, look) {
  const tag = () => replica.base("estimate", id)?.etag ?? null;
  return { seen, look, tag, load: () => openEstimate(id) };
}

/**
 * `look` gives what is shown of the object, `tag` the ETag with which the server gave it, or null, and `load` reads it again.
 * @typedef {{ seen: string, look: () => string, tag: () => string | null, load: () => Promise<unknown> }} Shown
 */

// Each time another write of the object came first and changed nothing that is shown.
const MAX_ROUNDS = 5;

/**
 * Writes with If-Match. A tag is older than the server's also where nothing that is shown has changed, such as after an
 * address that another page has saved and taken back. So after a 412 the object is loaded again, and where what is shown
 * is what was seen, the write is repeated. Throws Problem `precondition_failed` where it is not: then what somebody else
 * has changed is shown.
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
