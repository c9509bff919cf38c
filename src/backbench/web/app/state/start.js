// Start: the data layer, what could not be loaded, what the browser offers to install, and a workshop without anything.

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

/** Each loads again what is missing. @type {import("../vendor/signals-core.js").Signal<(() => void)[]>} */
export const missing = signal([]);

/**
 * Runs what imports modules. Where it fails the person can try again; many browsers remember the failure as long as the
 * page lives, so with a connection it is loaded anew.
 * @param {() => Promise<unknown>} load
 */
export function loadRest(load) {
  const report = () => void (missing.value = [...missing.value, again]);
  const again = () => void load().catch(() => navigator.onLine ? location.reload() : report());
  void load().catch(report);
}

/** Tries again. */
export function loadMissing() {
  const all = missing.value;
  missing.value = [];
  for (const again of all) again();
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

/** Somebody looks around first: the workshop is not asked for its craft again. */
export function leaveFirstRun() {
  const others = firstRunLeft.value.filter((id) => id !== workshopId.value);
  firstRunLeft.value = [...others, workshopId.value].slice(-20);
}
