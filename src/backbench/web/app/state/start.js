// Start of the data layer.

import { startSession } from "./session.js";
import { startClock } from "./tickets.js";
import { startWorkshops } from "./workshops.js";

/** Starts all that follows the server. Settles when there is something to show: see `session`. */
export function start() {
  startWorkshops();
  startClock();
  return startSession();
}

/** Starts what the first screen can be drawn without. Settles when it follows the server, too. */
export async function startRest() {
  const [grids, summaries, versions, inbox, orderSummaries] = await Promise.all([
    import("./grids.js"),
    import("./summaries.js"),
    import("./versions.js"),
    import("./inbox.js"),
    import("./order-summaries.js"),
  ]);
  grids.startGrids();
  summaries.startSummaries();
  versions.startVersions();
  inbox.startInbox();
  orderSummaries.startOrderSummaries();
}
