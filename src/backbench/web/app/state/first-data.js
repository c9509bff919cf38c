// First data: what the first screen shows comes before all that nobody needs in the first moment.

import { effect } from "../vendor/signals-core.js";
import { painted } from "../local/painted.js";
import { firstPull, loaded } from "./live.js";
import { session } from "./session.js";
import { hasWorkshops, workshop, workshopId } from "./workshops.js";

/**
 * Settles when the lists of the shown workshop are there, or are not to be expected now, and a frame was painted since.
 * @type {Promise<void>}
 */
export const firstData = Promise.race([
  firstPull,
  new Promise((settle) => void effect(() => void (isThere() && settle(undefined)))),
]).then(painted);

function isThere() {
  const { phase } = session.value;
  if (phase === "signed-out" || phase === "expired") return true;
  return loaded.value.has(workshopId.value) || (hasWorkshops.value && workshop.value === null);
}
