// First run: a workshop in which nothing was made yet begins with its craft.

import { computed } from "../vendor/signals-core.js";
import { hasOrders, orders } from "./orders.js";
import { replica } from "./outbox.js";
import { firstRunLeft } from "./preferences.js";
import { workshopId } from "./workshops.js";

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
