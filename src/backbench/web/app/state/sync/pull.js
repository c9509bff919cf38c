// Pull: brings the replica up to date with the changes of a workshop since the stored cursor.

import { KIND_NAMES, KINDS } from "../../domain/kinds.js";
import { changesPath, listPath, LISTS } from "../../domain/lists.js";
import { same } from "./parts.js";

/** @typedef {import("../../local/memory.js").Kind} Kind */
/** @typedef {import("../../local/memory.js").StoredObject} StoredObject */
/** @typedef {import("./delivery.js").Context} Context */
/** @typedef {import("./replica.js").Replica} Replica */

// What is stored of a workshop besides objects.
const FACTS = ["board", "cursor", "drafts", "gridOrder", "inboxAt", "mostUsed", "plan", "summaries"];

/**
 * Loads the lists if nothing is stored or the cursor cannot be continued, else the changes. Throws Problem.
 * @param {Context} context
 * @param {string} workshopId
 * @returns {Promise<{isLoaded: boolean}>} whether the lists were loaded anew
 */
export async function pull(context, workshopId) {
  const reads = context.replica.lateReads.peek();
  const cursor = await context.replica.fact(cursorKey(workshopId));
  const from = cursor ?? await load(context, workshopId, await startOf(context, workshopId));
  const changes = await follow(context, workshopId, from, reads);
  if (!changes.reset) return { isLoaded: !cursor };
  await load(context, workshopId, changes.cursor);
  await pull(context, workshopId);
  return { isLoaded: true };
}

/** @param {string} workshopId */
export function cursorKey(workshopId) {
  return `cursor:${workshopId}`;
}

/** @param {Context} context @param {string} workshopId */
async function startOf({ send }, workshopId) {
  return (await send("GET", changesPath(workshopId))).data.cursor;
}

/** Of what was stored and read meanwhile, the changes do not say what is gone: `reset`, as after a long time. @param {Context} context @param {string} workshopId @param {string} since @param {number} reads */
async function follow(context, workshopId, since, reads) {
  let cursor = since;
  for (;;) {
    const sequence = context.replica.sequence();
    /** @type {Api.Changes} */
    const changes = (await context.send("GET", changesPath(workshopId), { query: { since: cursor } })).data;
    if (changes.reset || reads !== context.replica.lateReads.peek()) return { ...changes, reset: true };
    const isStale = isOvertaken(context.replica, changes, sequence);
    // A write was answered meanwhile: what was read may be older. The same changes are asked for again.
    if (isStale) continue;
    await context.replica.commit(writeOf(context.replica, changes, workshopId));
    cursor = changes.cursor;
    if (!changes.more) return changes;
  }
}

/** @param {Replica} replica @param {Api.Changes} changes @param {number} sequence */
function isOvertaken(
  replica,
  { orders, orderDetails, estimates, grids, customers = [], workshop, removed },
  sequence,
) {
  /** @param {Kind} kind @param {{id: string}[]} values */
  const some = (kind, values) => values.some(({ id }) => replica.touchedSince(kind, id, sequence));
  return some("order", orders) ||
    some("orderDetails", orderDetails.map(({ orderId }) => ({ id: orderId }))) ||
    some("estimate", estimates) || some("grid", grids) ||
    some("customer", customers) || some("workshop", workshop ? [workshop] : []) ||
    removed.some(({ kind, id }) => kind !== "photo" && some(kind, [{ id }]));
}

/** @param {Replica} replica @param {Api.Changes} changes @param {string} workshopId */
function writeOf(replica, changes, workshopId) {
  const { cursor, orders, orderDetails, estimates, grids, customers = [], workshop, removed } = changes;
  /** @param {Kind} kind @param {{id: string}[]} values */
  const objects = (kind, values) => values.map((value) => received(replica, kind, value, workshopId));
  return {
    objects: [
      ...objects("order", orders),
      ...orderDetails.map((value) => received(replica, "orderDetails", value, workshopId, value.orderId)),
      ...objects("estimate", estimates),
      ...objects("grid", grids),
      ...objects("customer", customers),
      ...objects("workshop", workshop ? [workshop] : []),
    ],
    // Photos are kept by their order, whose list is read when it is shown.
    removed: removed.flatMap(({ kind, id }) => kind === "photo" ? [] : withParts(kind, id)),
    facts: { [cursorKey(workshopId)]: cursor },
  };
}

/** What is kept of an object apart. @type {Partial<Record<Kind, Kind[]>>} */
const PARTS = {
  order: [
    "orderDetails",
    "orderNotices",
    "orderPhotos",
    "orderQuestions",
    "orderSignature",
    "orderPayments",
    "orderBalance",
  ],
  estimate: ["document"],
};

/** An object, and what is kept of it apart. @param {Kind} kind @param {string} id @returns {[Kind, string][]} */
function withParts(kind, id) {
  return [kind, ...PARTS[kind] ?? []].map((each) => [each, id]);
}

/** An object from a list, with the ETag that is known if it is the same. @param {Replica} replica @param {Kind} kind @param {any} value @param {string} workshopId @param {string} [id] @returns {StoredObject} */
export function received(replica, kind, value, workshopId, id = value.id) {
  const known = replica.base(kind, id);
  return {
    kind,
    id,
    workshopId,
    value,
    etag: known && same(known.value, value) ? known.etag : null,
  };
}

/** Replaces what is stored of the workshop by its lists. @param {Context} context @param {string} workshopId @param {string} cursor */
async function load(context, workshopId, cursor) {
  const { replica } = context;
  const [orders, estimates, grids] = await lists(context, workshopId);
  /** @param {Kind} kind @param {any[]} values */
  const objectsOf = (kind, values) => values.map((value) => received(replica, kind, value, workshopId));
  const objects = [
    ...objectsOf("order", orders),
    ...objectsOf("estimate", estimates),
    ...objectsOf("grid", grids),
  ];
  await replica.commit({
    removed: stale(replica, workshopId, new Set(objects.map(({ id }) => id))),
    objects,
    facts: { [cursorKey(workshopId)]: cursor, [`gridOrder:${workshopId}`]: grids.map(({ id }) => id) },
  });
  return cursor;
}

/** Orders, estimates and grids. @param {Context} context @param {string} workshopId @returns {Promise<[any[], any[], {id: string}[]]>} */
async function lists({ send }, workshopId) {
  const [todo, started, done, estimates, grids] = await Promise.all(
    LISTS.map(async ([list, query]) => (await send("GET", listPath(workshopId, list), { query })).data[list]),
  );
  return [[...todo, ...started, ...done], estimates, grids];
}

/** What the lists do not have; what waits to be sent is kept until the server says that it is gone. @param {Replica} replica @param {string} workshopId @param {Set<string>} listed */
function stale(replica, workshopId, listed) {
  return objectsIn(replica, workshopId)
    .filter(({ kind, id }) => KINDS[kind].isListed && !listed.has(id) && !replica.pending.peek().has(id))
    .flatMap(({ kind, id }) => withParts(kind, id));
}

/** @param {Replica} replica @param {string} workshopId */
function objectsIn(replica, workshopId) {
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
  for (const id of left) await forget(replica, id);
  await replica.commit({ objects: workshops.map((one) => received(replica, "workshop", one, one.id)) });
  return left;
}

/** Removes a workshop that the account no longer belongs to. What was not sent stays, refused, to be copied. @param {Replica} replica @param {string} workshopId */
export function forget(replica, workshopId) {
  const problem = { status: 403, code: "left", errors: [], requestId: "", data: {} };
  const items = replica.items.peek().filter((item) => item.workshopId === workshopId);
  return replica.commit({
    removed: objectsIn(replica, workshopId).map(({ kind, id }) => /** @type {[Kind, string]} */ ([kind, id])),
    items: items.map((item) => ({ ...item, problem })),
    facts: Object.fromEntries(FACTS.map((fact) => [`${fact}:${workshopId}`, undefined])),
  });
}
