// Revising: an estimate is confirmed, or gets the content of a revision, as it was seen. Needs a connection.

import { call, request } from "../api/client.js";
import { Problem } from "../api/problems.js";
import { command } from "./commands.js";
import { keep, openEstimate } from "./estimates.js";
import { replica, settle } from "./outbox.js";
import { shown } from "./records.js";
import { writeSeen } from "./shown.js";

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

/** @param {string} id @param {string} seen @param {() => string} look @returns {import("./shown.js").Shown} */
function seenOf(id, seen, look) {
  const tag = () => replica.base("estimate", id)?.etag ?? null;
  return { seen, look, tag, load: () => openEstimate(id) };
}
