// Start: the data layer, what the browser offers to install, and a workshop without anything.

import { computed, signal } from "../vendor/signals-core.js";
import { hasOrders, orders } from "./orders.js";
import { replica } from "./outbox.js";
import { firstRunLeft } from "./preferences.js";
import { startSession } from "./session.js";
import { startClock } from "./tickets.js";
import { startWorkshops, workshopId } from "./workshops.js";

/** Starts all that follows the server. Settles when there is something to show: see `session`. */
export function start() {
  startWorkshops();
  startClock();
  return startSession();
}

/** @typedef {Event & { prompt: () => Promise<{ outcome: "accepted" | "dismissed" }> }} InstallPrompt */

/** What the browser offers, or null. @type {import("../vendor/signals-core.js").Signal<InstallPrompt | null>} */
export const installPrompt = signal(null);

/** Starts what lasts as long as the page. */
export function startInstalling() {
  addEventListener("beforeinstallprompt", (event) => {
    // The app offers it itself, once there is a reason.
    event.preventDefault();
    installPrompt.value = /** @type {InstallPrompt} */ (event);
  });
  addEventListener("appinstalled", () => (installPrompt.value = null));
}

/** Whether the workshop that is shown has no tiles, and nobody has said in this browser that it can do without. */
export const hasNoTiles = computed(() =>
  hasOrders.value && !has("grid") && !firstRunLeft.value.includes(workshopId.value)
);

/** Whether nothing at all was made in it. */
export const isNewWorkshop = computed(() =>
  hasNoTiles.value && orders.value.length === 0 && !has("estimate")
);

/** Whether the workshop has an object of the kind: the start does not need all that is known of estimates and grids. @param {"grid" | "estimate"} kind */
function has(kind) {
  const mine = workshopId.value;
  return [...replica.views[kind].value.values()].some((one) => one.workshopId === mine);
}
