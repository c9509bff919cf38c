// Mutations of grids and their buttons, which the app shows as tiles.

import {
  added,
  edited,
  joined,
  joinFields,
  moved,
  repriced,
  UNDO_TIME,
  withFields,
  without,
} from "./parts.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("./mutations.js").Mutation} Mutation */

const EDIT_DELAY = 1_000;

/** What the mutations of buttons have in common: the whole list is sent. */
const OF_LIST = {
  way: /** @type {const} */ ("list"),
  list: "buttons",
  /** @param {Item} item */
  request: ({ objectId }) => ({ method: "PATCH", path: `/grids/${objectId}` }),
  delay: EDIT_DELAY,
};

/** @type {Record<string, Mutation>} */
export const gridMutations = {
  "grid.create": {
    way: "create",
    apply: (_, args, item) => newGrid(args, item),
    request: (item) => ({ method: "POST", path: `/workshops/${item.workshopId}/grids`, body: item.args }),
    part: () => "*",
  },
  "grid.edit": {
    way: "fields",
    apply: (grid, { fields }) => withFields(grid, fields),
    request: ({ objectId, args }) => ({ method: "PATCH", path: `/grids/${objectId}`, body: args.fields }),
    part: () => "fields",
    target: (grid) => grid,
    join: (earlier, later) =>
      earlier.op === "grid.edit"
        ? joinFields(earlier, later)
        : joinCreation(earlier, (args) => ({ ...args, ...later.args.fields })),
  },
  "grid.addTile": {
    ...OF_LIST,
    apply: (grid, { tile }) => withTiles(grid, (tiles) => added(tiles, tile)),
    part: ({ tile }) => tile.id,
    join: (earlier, later) => joinTiles(earlier, (tiles) => added(tiles, later.args.tile)),
  },
  "grid.editTile": {
    ...OF_LIST,
    apply: (grid, { tileId, fields }) => withTiles(grid, (tiles) => edited(tiles, tileId, fields)),
    part: ({ tileId }) => tileId,
    target: (grid, { tileId }) =>
      grid.buttons.find((/** @type {Api.GridButton} */ tile) => tile.id === tileId),
    join: joinTileEdit,
  },
  "grid.deleteTile": {
    ...OF_LIST,
    apply: (grid, { tileId }) => withTiles(grid, (tiles) => without(tiles, tileId)),
    part: ({ tileId }) => tileId,
    delay: UNDO_TIME,
    isDeletion: true,
  },
  "grid.moveTile": {
    ...OF_LIST,
    apply: (grid, { tileId, index }) => withTiles(grid, (tiles) => moved(tiles, tileId, index)),
    part: ({ tileId }) => tileId,
    join: (earlier, later) =>
      joinTiles(earlier, (tiles) => moved(tiles, later.args.tileId, later.args.index)),
  },
  "grid.reprice": {
    ...OF_LIST,
    apply: (grid, { prices }) => withTiles(grid, (tiles) => repriced(tiles, prices)),
    // After all edits of its tiles, and before those that follow.
    part: () => "*",
  },
  "grid.delete": {
    way: "delete",
    apply: () => undefined,
    request: ({ objectId }) => ({ method: "DELETE", path: `/grids/${objectId}` }),
    part: () => "*",
    delay: UNDO_TIME,
    isDeletion: true,
  },
};

/** @param {Record<string, any>} args @param {Item} item @returns {Api.Grid} */
function newGrid({ name = "", iconSize = "medium", buttons = [] }, { objectId, workshopId, madeAt }) {
  const at = new Date(madeAt).toISOString();
  return { id: objectId, workshopId, name, iconSize, buttons, createdAt: at, updatedAt: at };
}

/** @param {Api.Grid} grid @param {(tiles: Api.GridButton[]) => Api.GridButton[]} change @returns {Api.Grid} */
function withTiles(grid, change) {
  return { ...grid, buttons: change(grid.buttons) };
}

/** @param {Item} earlier @param {(args: Record<string, any>) => Record<string, any>} change */
function joinCreation(earlier, change) {
  if (earlier.op !== "grid.create") return undefined;
  return joined(earlier, { args: change(earlier.args) });
}

/** @param {Item} earlier @param {(tiles: Api.GridButton[]) => Api.GridButton[]} change */
function joinTiles(earlier, change) {
  // The buttons of a template are known once the server has made the grid.
  if (earlier.args.templateSlug) return undefined;
  return joinCreation(earlier, (args) => ({ ...args, buttons: change(args.buttons ?? []) }));
}

/** @param {Item} earlier @param {Item} later */
function joinTileEdit(earlier, later) {
  const { tileId, fields } = later.args;
  if (earlier.op === "grid.editTile") return joinFields(earlier, later);
  if (earlier.op === "grid.addTile") {
    return joined(earlier, { args: { tile: withFields(earlier.args.tile, fields) } });
  }
  return joinTiles(earlier, (tiles) => edited(tiles, tileId, fields));
}
