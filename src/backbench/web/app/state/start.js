// Start of the data layer.

import { startGrids } from "./grids.js";
import { startSession } from "./session.js";
import { startSummaries } from "./summaries.js";
import { startWorkshops } from "./workshops.js";

/** Starts all that follows the server. Settles when there is something to show: see `session`. */
export function start() {
  startWorkshops();
  startGrids();
  startSummaries();
  return startSession();
}
