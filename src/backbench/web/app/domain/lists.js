// Lists: what a device keeps of a workshop, and of which workshop at first.

// Of the orders that are done the latest, of the estimates the newest are kept for work without a connection.
const DONE = 50;
const ESTIMATES = 100;

/** The lists by the member of their responses, with their queries. */
export const LISTS = /** @type {const} */ ([
  ["orders", { status: "todo" }],
  ["orders", { status: "in_progress" }],
  ["orders", { status: "done", limit: DONE }],
  ["estimates", { limit: ESTIMATES }],
  ["grids", {}],
]);

/** @param {string} workshopId */
export function changesPath(workshopId) {
  return `/workshops/${workshopId}/changes`;
}

/** @param {string} workshopId @param {string} list */
export function listPath(workshopId, list) {
  return `/workshops/${workshopId}/${list}`;
}

/** The workshop to show: the last one, else the default one. @template {{id: string, isDefault?: boolean}} T @param {readonly T[]} workshops the newest first @param {string} last */
export function shownOf(workshops, last) {
  return workshops.find(({ id }) => id === last) ?? workshops.find(({ isDefault }) => isDefault) ??
    workshops[0] ?? null;
}
