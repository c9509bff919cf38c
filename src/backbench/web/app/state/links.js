// Links: those of an estimate, what clients wrote on them, and what they decided. Only with a connection.

import { command, once } from "./commands.js";
import { call, request } from "../api/client.js";
import { signal } from "../vendor/signals-core.js";
import { isProblem } from "../api/problems.js";
import { newId } from "../domain/ids.js";
import { on } from "./live.js";
import { replica, settle } from "./outbox.js";
import { softly } from "./records.js";

/** All that there is about the links of an estimate.
 * @typedef {{ links: Api.Link[], comments: Api.EstimateComment[], decisions: Api.Decision[] }} Shared */
/** @template T @typedef {import("../vendor/signals-core.js").Signal<T>} Signal */

/** @type {Map<string, Signal<Shared | null>>} */
const known = new Map();
/** The addresses of links that were made on this page, by the link's id. @type {Signal<Readonly<Record<string, string>>>} */
export const addresses = signal({});

/** What is known about the links of an estimate; null until it was loaded. @param {string} estimateId @returns {Signal<Shared | null>} */
export function shared(estimateId) {
  const id = replica.presentId(estimateId);
  const found = known.get(id) ?? signal(/** @type {Shared | null} */ (null));
  known.set(id, found);
  return found;
}

/** The decision that stands. @param {string} estimateId */
export function standing(estimateId) {
  return shared(estimateId).value?.decisions.find(({ voided }) => !voided);
}

/** Throws Problem. @param {string} estimateId */
export async function loadShared(estimateId) {
  const id = replica.presentId(estimateId);
  const [{ links }, { comments }, { decisions }] = await Promise.all([
    call("GET /estimates/{estimateId}/links", { estimateId: id }),
    call("GET /estimates/{estimateId}/comments", { estimateId: id }),
    call("GET /estimates/{estimateId}/decisions", { estimateId: id }),
  ]);
  shared(id).value = { links, comments, decisions };
}

/**
 * Shows what a command was answered with, then what the server has. Where that cannot be read, the command is done all the
 * same.
 * @template {keyof Shared} T
 * @param {string} estimateId @param {T} list @param {Shared[T][number]} answered
 */
async function take(estimateId, list, answered) {
  const seen = shared(estimateId);
  const known = seen.peek();
  const others = known?.[list].filter(({ id }) => id !== answered.id) ?? [];
  if (known) seen.value = { ...known, [list]: [answered, ...others] };
  await softly(() => loadShared(estimateId));
}

/** The estimate whose links are on the screen. */
let followed = "";
let isListening = false;

/** From now on the links of this estimate are loaded again whenever a client opens, decides or comments. @param {string} estimateId */
export function followShared(estimateId) {
  followed = estimateId;
  if (isListening) return;
  isListening = true;
  on("pulled", ({ isLoaded, ids }) => {
    if (isLoaded || ids.includes(replica.presentId(followed))) void softly(() => loadShared(followed));
  });
}

/**
 * Returns the link. A link whose address got lost on the way is revoked, and another one made. Throws Problem.
 * @param {string} estimateId
 * @param {Api.NewLink} body
 */
export async function createLink(estimateId, body) {
  const id = await settle(estimateId);
  const make = (/** @type {string} */ key) =>
    call("POST /estimates/{estimateId}/links", { estimateId: id }, { body, key });
  // With the key until all of it is done: a repetition finds the link whose address got lost again.
  const { link, url } = await command(["link", id, body], (key) =>
    make(key).catch(async (error) => {
      if (!isProblem(error) || error.code !== "already_created") throw error;
      const [lost] = (await call("GET /estimates/{estimateId}/links", { estimateId: id })).links;
      if (lost && lost.state === "open" && !addresses.peek()[lost.id]) {
        await call("DELETE /links/{linkId}", { linkId: lost.id });
      }
      return await make(newId());
    }));
  addresses.value = { ...addresses.value, [link.id]: url };
  await take(id, "links", link);
  return link;
}

/** The link shows this revision from now on. Throws Problem. @param {Api.Link} link @param {number} revisionNumber */
export async function moveLink(link, revisionNumber) {
  const moved = await call("PATCH /links/{linkId}", { linkId: link.id }, { body: { revisionNumber } });
  await take(link.estimateId, "links", moved.link);
  return moved.link;
}

/** An address of the link, a new one if none is known here. Throws Problem. @param {Api.Link} link */
export async function addressOf(link) {
  const known = addresses.peek()[link.id];
  if (known) return known;
  const { url } = await once("POST /links/{linkId}/addresses", { linkId: link.id });
  addresses.value = { ...addresses.peek(), [link.id]: url };
  return url;
}

/** Also where the page is left meanwhile. Throws Problem. @param {Api.Link} link */
export async function revokeLink(link) {
  await call("DELETE /links/{linkId}", { linkId: link.id }, { keepalive: true });
  await take(link.estimateId, "links", { ...link, state: "revoked" });
}

/** How many more can be mailed now; Infinity where the server does not say. Throws Problem. @param {Api.Link} link @param {Api.LinkMail} body */
export async function mailLink(link, body) {
  const { headers } = await command(
    ["mail", link.id, body],
    (key) => request("POST /links/{linkId}/mail", { linkId: link.id }, { body, key }),
  );
  return Number(/"links";r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1] ?? Infinity);
}

/** Throws Problem. @param {Api.Link} link @param {string} text */
export async function answerComment(link, text) {
  const made = await once("POST /links/{linkId}/comments", { linkId: link.id }, { body: { text } });
  await take(link.estimateId, "comments", made);
}

/** Throws Problem. @param {string} estimateId @param {Api.NewDecision} body */
export async function recordDecision(estimateId, body) {
  const id = replica.presentId(estimateId);
  const made = await once("POST /estimates/{estimateId}/decisions", { estimateId: id }, { body });
  await take(id, "decisions", made);
}

/** Throws Problem. @param {Api.Decision} decision @param {string} reason */
export async function voidDecision(decision, reason) {
  const voided = await once("POST /decisions/{decisionId}/void", { decisionId: decision.id }, {
    body: { reason },
  });
  await take(decision.estimateId, "decisions", voided);
}
