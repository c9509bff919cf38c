// Start of the data layer.

import { startSession } from "./session.js";
import { startWorkshops } from "./workshops.js";

/** Starts all that follows the server. Settles when there is something to show: see `session`. */
export function start() {
  startWorkshops();
  return startSession();
}

/** Starts what the first screen can be drawn without. Settles when it follows the server, too. */
export async function startRest() {
  const [grids, summaries, versions] = await Promise.all([
    import("./grids.js"),
    import("./summaries.js"),
    import("./versions.js"),
  ]);
  grids.startGrids();
  summaries.startSummaries();
  versions.startVersions();
}
