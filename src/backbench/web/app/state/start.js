// Start of the data layer.

import { startOrders } from "./orders.js";
import { startCounting } from "./photos-waiting.js";
import { startSession } from "./session.js";
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
