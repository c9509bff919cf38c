// What the first screen can be drawn without: it is loaded once the first data is there.

import { request } from "../api/client.js";
import { pageOf, rowsFrom } from "../api/lists.js";
import { isLocal } from "../domain/ids.js";
import { effect, untracked } from "../vendor/signals-core.js";
import { startCustomers } from "./customers.js";
import { startGrids } from "./grids.js";
import { startInbox } from "./inbox.js";
import { on } from "./live.js";
import { loadRest } from "./start.js";
import { replica } from "./outbox.js";
import { photosWaiting } from "./photos-waiting.js";
import { softly } from "./records.js";
import { sealOthers } from "./signed-in.js";
import { startVersions } from "./versions.js";
import { startSummaries } from "./summaries.js";
import { same, withFields } from "./sync/parts.js";
import { received } from "./sync/pull.js";
import { isWhole } from "./tickets.js";
import { workshopId } from "./workshops.js";

export function startRest() {
  void sealOthers();
  startGrids();
  startSummaries();
  startVersions();
  startInbox();
  startOrderSummaries();
  startCustomers();
  effect(() => void (photosWaiting.value && loadRest(sendThePhotos)));
}

async function sendThePhotos() {
  (await import("./photo-outbox.js")).startPhotoOutbox();
}

// Order summaries: loads what the board by date shows of the orders that are not collected, and of collected ones that this
// device has.

// Of more open orders those that are due first have their facts; the others are tickets without.
const KEPT = 2000;
// Ids in one request. Of more collected orders those with the latest activity have their facts.
const IDS = 100;
const COLLECTED = 4 * IDS;
const DEBOUNCE = 500;
const CHANGES =
  /^(order|payment|photo|decision|member|estimate\.(accepted|confirmed|deleted)|workshop\.updated)/;

// What a summary has besides the details of its order.
const BESIDES = [
  "title",
  "customerName",
  "status",
  "lastActivityAt",
  "photos",
  "coverPhotoId",
  "agreed",
  "due",
];

/** Loads the summaries, and with them the details of their orders; without a connection the stored ones stay. */
async function loadOrderSummaries() {
  const id = workshopId.value;
  if (!id) return;
  await softly(async () => {
    const sequence = replica.sequence();
    /** @type {import("../api/lists.js").Rows<Api.OrderSummary>} */
    const { rows: open, next } = await rowsFrom(
      (query) =>
        pageOf(
          request("GET /workshops/{workshopId}/order-summaries", {
            workshopId: id,
            collected: "false",
            ...query,
          }),
          "summaries",
        ),
      () => KEPT,
    );
    const isAll = next === null;
    const found = [...open, ...await collectedOf(id, open)];
    await replica.commit({ facts: { [`board:${id}`]: isAll } });
    const known = [...replica.bases.orderSummary.peek().values()].filter((one) => one.workshopId === id);
    const ids = new Set(found.map(({ orderId }) => orderId));
    const objects = found.flatMap((one) => parts(one, id))
      .filter((one) => !replica.touchedSince(one.kind, one.id, sequence))
      .filter((one) => !same(replica.base(one.kind, one.id)?.value, one.value));
    const gone = known.filter((one) => !ids.has(one.id));
    if (!objects.length && !gone.length) return;
    await replica.commit({ objects, removed: gone.map((one) => ["orderSummary", one.id]) });
  });
  const isAll = (await replica.fact(`board:${id}`)) ?? null;
  if (id === workshopId.value) isWhole.value = isAll;
}

/** The details are kept apart: what is changed without a connection shows in them. A summary leaves out the item's condition and serial number, which stay. @param {Api.OrderSummary} summary @param {string} workshopId */
function parts(summary, workshopId) {
  const { orderId, photos, coverPhotoId, agreed, due } = summary;
  const details = Object.fromEntries(Object.entries(summary).filter(([name]) => !BESIDES.includes(name)));
  const { condition = null, serial = null } = replica.base("orderDetails", orderId)?.value.item ?? {};
  const item = withFields(summary.item ?? {}, { condition, serial });
  if (Object.keys(item).length) details.item = item;
  const besides = {
    photos,
    ...(coverPhotoId ? { coverPhotoId } : {}),
    ...(agreed ? { agreed } : {}),
    ...(due ? { due } : {}),
  };
  return [
    received(replica, "orderSummary", besides, workshopId, orderId),
    received(replica, "orderDetails", details, workshopId, orderId),
  ];
}

/** Those of the orders here that are done and not among the open ones. @param {string} id @param {Api.OrderSummary[]} open */
async function collectedOf(id, open) {
  const listed = new Set(open.map(({ orderId }) => orderId));
  const ids = [...replica.bases.order.peek().values()]
    .filter(({ workshopId, value }) => workshopId === id && value.status === "done")
    .filter((one) => !listed.has(one.id) && !isLocal(one.id))
    .sort((one, other) => one.value.lastActivityAt < other.value.lastActivityAt ? 1 : -1)
    .slice(0, COLLECTED).map((one) => one.id);
  const parts = Array.from(
    { length: Math.ceil(ids.length / IDS) },
    (_, at) => ids.slice(at * IDS, (at + 1) * IDS),
  );
  const pages = await Promise.all(
    parts.map((part) =>
      request("GET /workshops/{workshopId}/order-summaries", {
        workshopId: id,
        ids: part.join(","),
        limit: IDS,
      })
    ),
  );
  return pages.flatMap(({ data }) => data.summaries);
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
