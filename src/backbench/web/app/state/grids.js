// Grids of the workshop that is shown, and their tiles, which the API calls buttons.

import { call, request } from "../api/client.js";
import { computed } from "../vendor/signals-core.js";
import { localId, newId } from "../domain/ids.js";
import { command } from "./commands.js";
import { on } from "./live.js";
import { enqueue, replica, settle } from "./outbox.js";
import { act, change, softly } from "./records.js";
import { received } from "./sync/pull.js";
import { factOf, workshopId } from "./workshops.js";

/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

/** The order that the workshop gave its grids. */
const order = factOf("gridOrder", /** @type {string[]} */ ([]));
/** The lines used most in the workshop's estimates. */
export const mostUsed = factOf("mostUsed", /** @type {Api.MostUsedLineItem[]} */ ([]));

/** The grids in their order; new ones first. @type {ReadonlySignal<Api.Grid[]>} */
export const grids = computed(() => {
  const places = new Map(order.value.map((id, at) => [id, at]));
  const place = (/** @type {Api.Grid} */ { id }) => places.get(id) ?? -1;
  return [...replica.views.grid.value.values()]
    .filter((one) => one.workshopId === workshopId.value)
    .sort((one, other) => place(one) - place(other) || (one.createdAt < other.createdAt ? 1 : -1));
});

/** Returns the id of the new grid. @param {Api.NewGrid} fields */
export function createGrid(fields) {
  const id = localId();
  const buttons = fields.buttons?.map(withId);
  enqueue("grid.create", id, workshopId.value, buttons ? { ...fields, buttons } : { ...fields });
  return id;
}

/** @param {string} id @param {Omit<Api.GridEdit, "buttons">} fields */
export function editGrid(id, fields) {
  return change("grid", "edit", id, fields);
}

/** Returns the id of the new tile. @param {string} id @param {Api.NewGridButton} tile */
export function addTile(id, tile) {
  const made = withId(tile);
  act("grid", "addTile", id, { tile: made });
  return made.id;
}

/** @param {Api.NewGridButton} tile @returns {Api.GridButton} */
function withId(tile) {
  return { ...tile, id: tile.id ?? newId() };
}

/** Null removes an optional field. @param {string} id @param {string} tileId @param {{[K in keyof Api.GridButton]?: Api.GridButton[K] | null}} fields */
export function editTile(id, tileId, fields) {
  return change("grid", "editTile", id, fields, { args: { tileId } });
}

/** Sent after six seconds; `drop` with the returned key takes it back. @param {string} id @param {string} tileId */
export function deleteTile(id, tileId) {
  return act("grid", "deleteTile", id, { tileId });
}

/** @param {string} id @param {string} tileId @param {number} index where it stands afterwards */
export function moveTile(id, tileId, index) {
  return act("grid", "moveTile", id, { tileId, index });
}

/** Sent after six seconds; `drop` with the returned key takes it back. @param {string} id */
export function deleteGrid(id) {
  return act("grid", "delete", id, {});
}

/** Sets the order of the grids. Needs a connection. Throws Problem. @param {string[]} ids all of them */
export async function reorderGrids(ids) {
  const workshop = workshopId.value;
  const known = order.value;
  order.value = ids;
  try {
    const present = [];
    for (const id of ids) present.push(await settle(id));
    await receive(
      (await call("PUT /workshops/{workshopId}/grids/order", { workshopId: workshop }, {
        body: { gridIds: present },
      })).grids,
      workshop,
    );
  } catch (error) {
    order.value = known;
    throw error;
  }
}

/** Appends items of the catalog, or of one of its templates. Needs a connection. Throws Problem. @param {string} id @param {Api.AddedButtons} body */
export async function addFromCatalog(id, body) {
  const present = await settle(id);
  const { data, etag } = await command(
    ["tiles", present, body],
    (key) => request("POST /grids/{gridId}/buttons", { gridId: present }, { body, key }),
  );
  await replica.commit({
    objects: [{ kind: "grid", id: data.id, workshopId: data.workshopId, value: data, etag }],
  });
}

/** @param {Api.Grid[]} found @param {string} workshop */
async function receive(found, workshop) {
  const ids = found.map(({ id }) => id);
  if (workshop === workshopId.value) order.value = ids;
  await replica.commit({
    objects: found.map((value) => received(replica, "grid", value, workshop)),
    facts: { [`gridOrder:${workshop}`]: ids },
  });
}

/** Without a connection the stored lines are shown. */
export async function loadMostUsed() {
  const id = workshopId.value;
  if (!id) return;
  await softly(async () => {
    const { lineItems } = await call("GET /workshops/{workshopId}/line-items/most-used", {
      workshopId: id,
      limit: 20,
    });
    if (id === workshopId.value) mostUsed.value = lineItems;
    await replica.commit({ facts: { [`mostUsed:${id}`]: lineItems } });
  });
}

/** Starts what lasts as long as the page: the order of the grids is not among the changes, but one of the workshop. */
export function startGrids() {
  on("pulled", ({ workshopId: id, isLoaded, hasWorkshop }) => {
    if (isLoaded || !hasWorkshop) return;
    void softly(async () =>
      await receive((await call("GET /workshops/{workshopId}/grids", { workshopId: id })).grids, id)
    );
  });
}
