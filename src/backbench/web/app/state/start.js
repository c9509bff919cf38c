// Start of the data layer.

import { photosWaiting } from "./photos-waiting.js";
import { startOrders } from "./orders.js";
import { startSession } from "./session.js";
import { startClock } from "./tickets.js";
import { startWorkshops } from "./workshops.js";

/** Starts all that follows the server. Settles when there is something to show: see `session`. */
export function start() {
  startWorkshops();
  startOrders();
  startClock();
  return startSession();
}

// Without a connection, modules are asked for again.
const RETRY = 5_000;

/** Starts what the first screen can be drawn without, once it is loaded. */
export function startRest() {
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
    if (photosWaiting.value) void import("./photos.js").then(({ startPhotos }) => startPhotos());
  }, () => setTimeout(startRest, RETRY));
}
