// Pull: brings the replica up to date with the changes of a workshop since the stored cursor, what its lists show included.

import { Problem } from "../../api/problems.js";
import { KIND_NAMES, KINDS } from "../../domain/kinds.js";
import { same, withFields } from "./values.js";

/** @typedef {import("../../local/memory.js").Kind} Kind */
/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("../../local/memory.js").StoredObject} StoredObject */
/** @typedef {import("./delivery.js").Context} Context */
/** @typedef {import("./replica.js").Replica} Replica */
/** What a response has of each kind, by the member of the kind. @typedef {Record<string, any>} Given */
/**
 * `isLoaded`: the lists were loaded anew. `hasWorkshop`: its profile, members, plan or settings may be others. `ids`: the orders
 * and estimates of which something may be another, and what was changed itself.
 * @typedef {{isLoaded: boolean, hasWorkshop: boolean, ids: string[]}} Pulled
 */

const INCLUDE = "orderSummaries,estimateSummaries,inbox";
/**
 * Loads the lists if nothing is stored or the cursor cannot be continued, else the changes. Throws Problem.
 * @param {Context} context
 * @param {string} workshopId
 * @param {string} [start] a cursor from before which nothing is known here
 * @returns {Promise<Pulled>}
 */
export async function pull(context, workshopId, start) {
  const reads = context.replica.lateReads.peek();
  // A copy of an earlier version has less.
  const isWhole = await context.replica.fact(olderKey(workshopId)) !== undefined;
  const cursor = isWhole ? await context.replica.fact(cursorKey(workshopId)) : undefined;
  const from = cursor ?? start ?? await cursorNow(context, workshopId);
  if (!cursor) await load(context, workshopId, from);
  const { reset, last, ...found } = await follow(context, workshopId, from, reads);
  if (!reset) return { isLoaded: !cursor, ...found };
  await load(context, workshopId, last);
  return { ...await pull(context, workshopId), isLoaded: true, hasWorkshop: true };
}

/** Loaded when it is needed, which is once in the life of most copies. @param {Context} context @param {string} workshopId @param {string} cursor */
async function load(context, workshopId, cursor) {
  const lists = await import("./lists.js").catch(() => {
    throw new Problem(0, "offline");
  });
  await lists.load(context, workshopId, cursor);
}

/** @param {string} workshopId */
export function cursorKey(workshopId) {
  return `cursor:${workshopId}`;
}

/** Whether the settings and the plan may be others than those that are stored. @param {string} workshopId */
export function unreadKey(workshopId) {
  return `unread:${workshopId}`;
}

/** Of where the orders go on that are done and older than those that are kept. @param {string} workshopId */
export function olderKey(workshopId) {
  return `older:${workshopId}`;
}

/** @param {Context} context @param {string} workshopId @param {string} [since] @returns {Promise<Api.Changes>} */
async function changesOf({ send }, workshopId, since) {
  const query = since === undefined ? {} : { since, include: INCLUDE };
  return (await send("GET", `/workshops/${workshopId}/changes`, { query })).data;
}

/** @param {Context} context @param {string} workshopId */
async function cursorNow(context, workshopId) {
  return (await changesOf(context, workshopId)).cursor;
}

/** Of what was stored and read meanwhile, the changes do not say what is gone: `reset`, as after a long time. @param {Context} context @param {string} workshopId @param {string} since @param {number} reads */
async function follow(context, workshopId, since, reads) {
  const { replica } = context;
  let [last, hasWorkshop] = [since, false];
  /** @type {string[]} */
  const ids = [];
  for (;;) {
    const sequence = replica.sequence();
    const changes = await changesOf(context, workshopId, last);
    const reset = changes.reset || reads !== replica.lateReads.peek();
    if (reset) return { reset, hasWorkshop, ids, last: changes.cursor };
    const write = writeOf(replica, changes, workshopId);
    // A write was answered meanwhile: what was read may be older. The same changes are asked for again.
    if (isOvertaken(replica, write, sequence)) continue;
    await replica.commit(write);
    last = changes.cursor;
    hasWorkshop ||= changes.workshop !== undefined;
    ids.push(...write.objects.map(({ id }) => id), ...write.removed.map(([, id]) => id));
    ids.push(...[...changes.payments, ...changes.photos].map(({ orderId }) => orderId));
    if (!changes.more) return { reset, hasWorkshop, ids, last };
  }
}

/** @param {Replica} replica @param {ReturnType<typeof writeOf>} write @param {number} sequence */
function isOvertaken(replica, { objects, removed }, sequence) {
  return objects.some(({ kind, id }) => replica.touchedSince(kind, id, sequence)) ||
    removed.some(([kind, id]) => replica.touchedSince(kind, id, sequence));
}

/** @param {Replica} replica @param {Api.Changes} changes @param {string} workshopId */
function writeOf(replica, changes, workshopId) {
  const kinds = new Map(KIND_NAMES.map((kind) => [KINDS[kind].removed ?? kind, kind]));
  return {
    objects: objectsOf(replica, changes, workshopId),
    // Items of the inbox are named that were never there.
    removed: changes.removed.flatMap(({ kind, id }) => {
      const of = kinds.get(kind);
      return of && (of !== "inbox" || replica.base(of, id)) ? withParts(replica, of, id) : [];
    }),
    facts: {
      [cursorKey(workshopId)]: changes.cursor,
      [`inboxAt:${workshopId}`]: Date.now(),
      // The page may be closed before they were read.
      ...(changes.workshop && { [unreadKey(workshopId)]: true }),
    },
  };
}

/** The objects of what was given. @param {Replica} replica @param {Given} given @param {string} workshopId */
export function objectsOf(replica, given, workshopId) {
  const read = new Set([given.orderDetails ?? []].flat().map(({ orderId }) => orderId));
  // A device has no other orders.
  const here = new Set([given.orders ?? []].flat().map(({ id }) => id));
  const summaries = [given.orderSummaries ?? []].flat()
    .filter(({ orderId }) => here.has(orderId) || replica.base("order", orderId))
    .map((summary) => divided(replica, summary));
  const all = {
    ...given,
    orderSummaries: summaries.map(({ besides }) => besides),
    orderDetails: [
      ...given.orderDetails ?? [],
      ...summaries.map(({ details }) => details).filter(({ orderId }) => !read.has(orderId)),
    ],
  };
  return KIND_NAMES.flatMap((kind) => {
    const { member = "", key = "id" } = KINDS[kind];
    return [/** @type {Given} */ (all)[member] ?? []].flat()
      .map((value) => received(replica, kind, value, workshopId, value[key]));
  });
}

// What a summary has besides the details of its order.
const BESIDES = ["photos", "coverPhotoId", "agreed", "due"];
const OF_ORDER = ["title", "customerName", "status", "lastActivityAt"];

/** The details are kept apart: what is changed without a connection shows in them. A summary leaves out the item's condition and serial number, which stay. @param {Replica} replica @param {Api.OrderSummary} summary @returns {{besides: Given, details: Given}} */
function divided(replica, summary) {
  const { orderId } = summary;
  const entries = Object.entries(summary).filter(([name]) => !OF_ORDER.includes(name));
  const details = Object.fromEntries(entries.filter(([name]) => !BESIDES.includes(name)));
  const { condition = null, serial = null } = replica.base("orderDetails", orderId)?.value.item ?? {};
  const item = withFields(summary.item ?? {}, { condition, serial });
  if (Object.keys(item).length) details.item = item;
  return {
    besides: { orderId, ...Object.fromEntries(entries.filter(([name]) => BESIDES.includes(name))) },
    details,
  };
}

/** An object, and what is kept of it apart. @param {Replica} replica @param {Kind} kind @param {string} id @returns {[Kind, string][]} */
export function withParts(replica, kind, id) {
  const parts = /** @type {Kind[]} */ ([kind, ...KINDS[kind].parts ?? []]);
  return [
    ...parts.map((each) => /** @type {[Kind, string]} */ ([each, id])),
    ...[...replica.bases.inbox.peek().values()]
      .filter(({ value }) => (value.orderId ?? value.estimateId) === id)
      .map((item) => /** @type {[Kind, string]} */ (["inbox", item.id])),
  ];
}

/** An object from a list, with the ETag that is known if it is the same. @param {Replica} replica @param {Kind} kind @param {any} given @param {string} workshopId @param {string} [id] @returns {StoredObject} */
export function received(replica, kind, given, workshopId, id = given.id) {
  const known = replica.base(kind, id);
  // What is shown by workshop says of which it is.
  const value = kind === "inbox" || kind === "estimateSummary" ? { ...given, workshopId } : given;
  return {
    kind,
    id,
    workshopId,
    value,
    etag: known && same(known.value, value) ? known.etag : null,
  };
}

/** One object as the server has it. Throws Problem. @param {{send: import("../../api/client.js").Send}} context @param {Pick<Item, "kind" | "workshopId">} item @param {string} id @returns {Promise<StoredObject>} */
export async function readObject({ send }, { kind, workshopId }, id) {
  const { path, read } = KINDS[kind];
  const { data, etag } = await send("GET", path(id));
  const value = read ? read(data) : data;
  return { kind, id, workshopId: workshopId || value.workshopId, value, etag };
}

/** @param {Replica} replica @param {string} workshopId */
export function objectsIn(replica, workshopId) {
  return KIND_NAMES.flatMap((kind) => [...replica.bases[kind].peek().values()])
    .filter((object) => object.workshopId === workshopId);
}

/**
 * The workshops of the account, all of them: what is kept of others leaves this browser. Returns the ids of these.
 * @param {Replica} replica
 * @param {Api.Workshop[]} workshops
 */
export async function takeWorkshops(replica, workshops) {
  const ids = new Set(workshops.map(({ id }) => id));
  const known = new Set(
    KIND_NAMES.flatMap((kind) => [...replica.bases[kind].peek().values()])
      .map(({ workshopId }) => workshopId),
  );
  const left = [...known].filter((id) => id !== "" && !ids.has(id));
  for (const id of left) await (await import("./lists.js")).forget(replica, id);
  await replica.commit({ objects: workshops.map((one) => received(replica, "workshop", one, one.id)) });
  return left;
}
