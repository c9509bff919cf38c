// Order summaries: loads what the board by date shows of the orders that are not collected.

import { effect, untracked } from "../vendor/signals-core.js";
import { nextCursor } from "../api/client.js";
import { listOrderSummaries } from "../api/orders.js";
import { on } from "./live.js";
import { replica } from "./outbox.js";
import { softly } from "./records.js";
import { same } from "./sync/same.js";
import { workshopId } from "./workshops.js";

/** @typedef {import("../../../../../types/shapes.d.ts").OrderSummary} OrderSummary */

const PAGE = 500;
// Of more open orders those that are due first have their facts; the others are tickets without.
const PAGES = 4;
const DEBOUNCE = 500;
const CHANGES = /^(order|decision|member|estimate\.(accepted|confirmed|deleted)|workshop\.updated)/;

/** Loads the summaries; without a connection the stored ones stay. */
export async function loadOrderSummaries() {
  const id = workshopId.value;
  if (!id) return;
  await softly(async () => {
    const found = await listed(id);
    const known = [...replica.bases.orderSummary.peek().values()].filter((one) => one.workshopId === id);
    const ids = new Set(found.map(({ orderId }) => orderId));
    const changed = found.filter((one) => !same(replica.base("orderSummary", one.orderId)?.value, one));
    const gone = known.filter((one) => !ids.has(one.id));
    if (!changed.length && !gone.length) return;
    await replica.commit({
      objects: changed.map((value) => ({
        kind: "orderSummary",
        id: value.orderId,
        workshopId: id,
        value,
        etag: null,
      })),
      removed: gone.map((one) => ["orderSummary", one.id]),
    });
  });
}

/** @param {string} id @returns {Promise<OrderSummary[]>} */
async function listed(id) {
  /** @type {OrderSummary[]} */
  const found = [];
  let cursor = "";
  for (let page = 0; page < PAGES; page += 1) {
    const query = { collected: /** @type {const} */ ("false"), limit: PAGE };
    const { data, headers } = await listOrderSummaries(id, cursor ? { ...query, cursor } : query);
    found.push(...data.summaries);
    cursor = nextCursor(headers) ?? "";
    if (!cursor) break;
  }
  return found;
}

/** Starts what lasts as long as the page: the summaries follow the server, and the orders of this device. */
export function startOrderSummaries() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const reload = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void loadOrderSummaries(), DEBOUNCE);
  };
  on("event", ({ type }) => CHANGES.test(type) && reload());
  on("pulled", ({ isLoaded }) => isLoaded && reload());
  addEventListener("online", reload);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && reload());
  effect(() => {
    void [workshopId.value, replica.bases.order.value];
    untracked(reload);
  });
}
