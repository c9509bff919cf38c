// Lists: what a device keeps of a workshop, read anew.

import { nextCursor } from "../../api/lists.js";
import { KINDS } from "../../domain/kinds.js";
import { FIRST, store } from "../../local/settings.js";
import { cursorKey, objectsIn, objectsOf, olderKey, unreadKey, withParts } from "./pull.js";

/** @typedef {import("../../local/memory.js").Kind} Kind */
/** @typedef {import("../../local/memory.js").StoredObject} StoredObject */
/** @typedef {import("./delivery.js").Context} Context */
/** @typedef {import("./replica.js").Replica} Replica */

/** How many of the orders that are done, the latest, and of the estimates, the newest, are kept for work without a connection. */
const KEPT = { done: 50, estimates: 100, summaries: 2_000, rows: 50 };
// Of the server, for one request.
const MOST = 500;
// Ids in one request.
const IDS = 100;
// Those that belong to the lists, one of them of earlier versions.
const OF_LISTS = ["customers", "summaries"];
// What is stored of a workshop besides objects.
const FACTS = [
  ...OF_LISTS,
  ..."board cursor drafts estimates gridOrder inboxAt merged mostUsed older plan unread".split(" "),
];

/** Replaces what is stored of the workshop by its lists. Throws Problem. @param {Context} context @param {string} workshopId @param {string} cursor */
export async function load(context, workshopId, cursor) {
  const { replica } = context;
  const { isAll, settings, plan, older, estimatesTo, ...given } = await lists(context, workshopId);
  const objects = [...objectsOf(replica, given, workshopId), settings];
  await replica.commit({
    removed: stale(replica, workshopId, new Set(objects.map(({ id }) => id))),
    objects,
    facts: {
      ...Object.fromEntries(OF_LISTS.map((fact) => [`${fact}:${workshopId}`, undefined])),
      [cursorKey(workshopId)]: cursor,
      [`gridOrder:${workshopId}`]: given.grids.map(({ id }) => id),
      [olderKey(workshopId)]: older,
      [`board:${workshopId}`]: isAll,
      [`plan:${workshopId}`]: plan,
      [unreadKey(workshopId)]: undefined,
      [`estimates:${workshopId}`]: estimatesTo,
      [`inboxAt:${workshopId}`]: Date.now(),
    },
  });
}

/** @param {Context} context @param {string} workshopId */
async function lists({ send }, workshopId) {
  const settings = KINDS.settings.path(workshopId);
  /** @param {string} path @param {Record<string, string | number>} [query] */
  const get = (path, query = {}) => send("GET", `/workshops/${workshopId}/${path}`, { query });
  /** @param {string} path @param {Record<string, string | number>} [query] @returns {Promise<any[]>} */
  const list = async (path, query) => (await get(path, query)).data[path];
  const [todo, started, done, estimates, grids, inbox, open, plan, of, rows] = await Promise.all([
    list("orders", { status: "todo" }),
    list("orders", { status: "in_progress" }),
    get("orders", { status: "done", limit: KEPT.done }),
    list("estimates", { limit: KEPT.estimates }),
    list("grids"),
    get("inbox"),
    openSummaries(get),
    get("entitlements"),
    // What prices are is known with the tiles.
    send("GET", settings),
    get("estimate-summaries", { limit: KEPT.rows }),
  ]);
  const next = nextCursor(rows.headers);
  const known = new Set(open.summaries.map(({ orderId }) => orderId));
  /** @type {Api.Order[]} */
  const finished = done.data.orders;
  const collected = await summariesOf(get, finished.map(({ id }) => id).filter((id) => !known.has(id)));
  return {
    orders: [...todo, ...started, ...finished],
    estimateSummaries: rows.data.summaries,
    estimatesTo: next ? { until: rows.data.summaries.at(-1).updatedAt, next } : "all",
    older: nextCursor(done.headers) ?? "",
    estimates,
    grids,
    inbox: inbox.data.items,
    orderSummaries: [...open.summaries, ...collected],
    isAll: open.isAll,
    plan: plan.data,
    settings: /** @type {StoredObject} */ ({
      kind: "settings",
      id: workshopId,
      workshopId,
      value: of.data,
      etag: of.etag,
    }),
  };
}

/** @typedef {(path: string, query?: Record<string, string | number>) => Promise<import("../../api/client.js").Answer<any>>} Get */

/** Of the orders that are not collected; of more than are kept those that are due first. @param {Get} get */
async function openSummaries(get) {
  /** @type {Api.OrderSummary[]} */
  const summaries = [];
  let cursor = "";
  do {
    const { data, headers } = await get("order-summaries", { collected: "false", limit: MOST, cursor });
    summaries.push(...data.summaries);
    cursor = nextCursor(headers) ?? "";
  } while (cursor && summaries.length < KEPT.summaries);
  return { summaries, isAll: !cursor };
}

/** @param {Get} get @param {string[]} ids @returns {Promise<Api.OrderSummary[]>} */
async function summariesOf(get, ids) {
  if (!ids.length) return [];
  const { data } = await get("order-summaries", { ids: ids.slice(0, IDS).join(","), limit: IDS });
  return data.summaries;
}

/**
 * Adds the next page of orders that are done, from `older` on, which then is where the one after it starts, or "". Another
 * workshop may be shown meanwhile, whose orders go on elsewhere. Throws Problem.
 * @param {Context} context @param {import("../../vendor/signals-core.js").ReadonlySignal<string>} shownId the id of the workshop that is shown
 * @param {import("../../vendor/signals-core.js").Signal<string>} older
 */
export async function loadOlder({ replica, send }, shownId, older) {
  const [workshopId, cursor] = [shownId.peek(), older.peek()];
  /** @type {Get} */
  const get = (path, query = {}) => send("GET", `/workshops/${workshopId}/${path}`, { query });
  const sequence = replica.sequence();
  const { data: { orders }, headers } = await get("orders", { status: "done", limit: KEPT.done, cursor });
  const orderSummaries = await summariesOf(get, orders.map((/** @type {Api.Order} */ { id }) => id));
  // What has changed since the page was asked for is newer here.
  const objects = objectsOf(replica, { orders, orderSummaries }, workshopId)
    .filter(({ kind, id }) => !replica.touchedSince(kind, id, sequence));
  const next = nextCursor(headers) ?? "";
  await replica.commit({ objects, facts: { [olderKey(workshopId)]: next } });
  if (shownId.peek() === workshopId) older.value = next;
}

/** What the lists do not have; what waits to be sent is kept until the server says that it is gone. @param {Replica} replica @param {string} workshopId @param {Set<string>} listed */
function stale(replica, workshopId, listed) {
  return objectsIn(replica, workshopId)
    .filter(({ kind, id }) => KINDS[kind].isListed && !listed.has(id) && !replica.pending.peek().has(id))
    .flatMap(({ kind, id }) => withParts(replica, kind, id));
}

/** Removes a workshop that the account no longer belongs to. What was not sent stays, refused, to be copied. @param {Replica} replica @param {string} workshopId */
export function forget(replica, workshopId) {
  store(FIRST, undefined);
  const problem = { status: 403, code: "left", errors: [], requestId: "", data: {} };
  const items = replica.items.peek().filter((item) => item.workshopId === workshopId);
  return replica.commit({
    removed: objectsIn(replica, workshopId).map((
      { kind, id },
    ) => /** @type {[Kind, string]} */ ([kind, id])),
    items: items.map((item) => ({ ...item, problem })),
    facts: {
      ...Object.fromEntries(FACTS.map((fact) => [`${fact}:${workshopId}`, undefined])),
      // Of an earlier version: the board that was seen last.
      first: undefined,
    },
  });
}
