// Start of the data layer.

import { effect } from "../vendor/signals-core.js";
import { loadRest } from "./missing.js";
import { startOrders } from "./orders.js";
import { photosWaiting, startCounting } from "./photos-waiting.js";
import { startSession } from "./session.js";
import { sealOthers } from "./signed-in.js";
import { startClock } from "./tickets.js";
import { startWorkshops } from "./workshops.js";

/** Starts all that follows the server. Settles when there is something to show: see `session`. */
export function start() {
  startWorkshops();
  startOrders();
  startCounting();
  startClock();
  return startSession();
}

/** Starts what the first screen can be drawn without, once it is loaded. */
export async function startRest() {
  void sealOthers();
  const [grids, summaries, versions, inbox, orderSummaries, customers] = await Promise.all([
    import("./grids.js"),
    import("./summaries.js"),
    import("./versions.js"),
    import("./inbox.js"),
    import("./order-summaries.js"),
    import("./customers.js"),
  ]);
  grids.startGrids();
  summaries.startSummaries();
  versions.startVersions();
  inbox.startInbox();
  orderSummaries.startOrderSummaries();
  customers.startCustomers();
  effect(() => void (photosWaiting.value && loadRest(sendThePhotos)));
}

async function sendThePhotos() {
  (await import("./photo-outbox.js")).startPhotoOutbox();
}
