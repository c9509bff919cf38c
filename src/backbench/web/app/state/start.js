// Start of the data layer.

import { effect } from "../vendor/signals-core.js";
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

// Without a connection, modules are asked for again.
const RETRY = 5_000;

/** @returns {Promise<void>} */
function sendThePhotos() {
  return import("./photo-outbox.js").then(
    ({ startPhotoOutbox }) => startPhotoOutbox(),
    () => void setTimeout(sendThePhotos, RETRY),
  );
}

/** Starts what the first screen can be drawn without, once it is loaded. */
export function startRest() {
  void sealOthers();
  void Promise.all([
    import("./grids.js"),
    import("./summaries.js"),
    import("./versions.js"),
    import("./inbox.js"),
    import("./order-summaries.js"),
    import("./customers.js"),
  ]).then(([grids, summaries, versions, inbox, orderSummaries, customers]) => {
    grids.startGrids();
    summaries.startSummaries();
    versions.startVersions();
    inbox.startInbox();
    orderSummaries.startOrderSummaries();
    customers.startCustomers();
    effect(() => void (photosWaiting.value && sendThePhotos()));
  }, () => setTimeout(startRest, RETRY));
}
