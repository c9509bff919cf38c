// Mutations of what belongs to an order besides: details, collection, notices to its customer, answers to questions, photos.

import { KINDS } from "../../domain/kinds.js";
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

/** @type {Record<string, Mutation>} */
export const shelfMutations = {
  "orderDetails.edit": {
    way: "fields",
    apply: (details, { fields }) => withoutTime(withFields(details, fields)),
    request: ({ objectId, args }) => ({
      method: "PATCH",
      path: `/orders/${objectId}/details`,
      body: args.fields,
    }),
    part: () => "details",
    references: ["customerId", "estimateId"],
    target: (details) => details,
    join: joinSame,
  },
  // Two people can describe one thing: the server takes the item whole.
  "orderDetails.editItem": {
    way: "fields",
    apply: (details, { fields }) => withFields(details, { item: itemOf(details.item, fields) }),
    request: ({ objectId }) => ({ method: "PATCH", path: `/orders/${objectId}/details` }),
    body: ({ item }) => ({ item: item ?? null }),
    part: () => "item",
    target: ({ item }) => item ?? {},
    join: joinSame,
  },
  "orderDetails.collect": {
    way: "append",
    apply: (details, { to }, { madeAt }) =>
      details.collectedAt
        ? details
        : withFields(details, { collectedAt: new Date(madeAt).toISOString(), collectedBy: to }),
    request: ({ objectId, args: { to } }) => ({
      method: "POST",
      path: `/orders/${objectId}/collected`,
      body: to ? { to } : {},
    }),
    part: () => "collected",
  },
  "orderDetails.uncollect": {
    way: "remove",
    apply: (details) => withFields(details, { collectedAt: null, collectedBy: null }),
    request: ({ objectId }) => ({ method: "DELETE", path: `/orders/${objectId}/collected` }),
    part: () => "collected",
    join: (earlier) => earlier.op === "orderDetails.collect" ? null : undefined,
  },
  // Taken whole: a signature is somebody's, no two of them are merged.
  "orderSignature.sign": {
    way: "append",
    apply: (_, args, { madeAt }) => ({ ...args, signedAt: new Date(madeAt).toISOString() }),
    request: ({ objectId, args }) => ({
      method: "PUT",
      path: KINDS.orderSignature.path(objectId),
      body: args,
    }),
    part: () => "*",
    join: (earlier, later) => earlier.op === later.op ? joined(earlier, { args: later.args }) : undefined,
  },
  "orderSignature.clear": {
    way: "remove",
    apply: () => ({}),
    request: ({ objectId }) => ({ method: "DELETE", path: KINDS.orderSignature.path(objectId) }),
    part: () => "*",
    join: (earlier) => earlier.op === "orderSignature.sign" ? null : undefined,
  },
  "orderNotices.add": {
    way: "append",
    apply: ({ notices }, { notice }, { key, madeAt }) => ({
      notices: [{ id: key, ...notice, at: new Date(madeAt).toISOString(), byUid: "" }, ...notices],
    }),
    request: ({ objectId, args }) => ({
      method: "POST",
      path: `/orders/${objectId}/notices`,
      body: args.notice,
    }),
    part: ({ notice }) => `${notice.kind} ${notice.channel}`,
    taken: (notice, object) => ({ notices: [notice, ...object?.notices ?? []] }),
    delay: UNDO_TIME,
  },
  "orderPhotos.edit": {
    way: "append",
    apply: ({ photos }, { photoId, fields }) => ({ photos: edited(photos, photoId, fields) }),
    request: ({ args }) => ({ method: "PATCH", path: `/photos/${args.photoId}`, body: args.fields }),
    part: ({ photoId }) => photoId,
    taken: (photo, { photos }) => ({
      photos: photos.map((/** @type {{id: string}} */ one) => one.id === photo.id ? photo : one),
    }),
    join: (earlier, later) =>
      earlier.args.photoId === later.args.photoId ? joinSame(earlier, later) : undefined,
  },
  "orderPhotos.cover": {
    way: "list",
    list: "photos",
    apply: ({ photos }, { photoId }) => ({ photos: moved(photos, photoId, 0) }),
    request: ({ objectId }) => ({ method: "PUT", path: `/orders/${objectId}/photos/order` }),
    body: ({ photos }) => ({ photoIds: photos.map((/** @type {{id: string}} */ { id }) => id) }),
    part: () => "cover",
    // What was the cover for a moment need not be sent.
    join: (earlier, later) => earlier.op === later.op ? joined(earlier, { args: later.args }) : undefined,
  },
  "orderPhotos.delete": {
    way: "remove",
    apply: ({ photos }, { photoId }) => ({ photos: without(photos, photoId) }),
    request: ({ args }) => ({ method: "DELETE", path: `/photos/${args.photoId}` }),
    part: ({ photoId }) => photoId,
    taken: (_, { photos }, { photoId }) => ({ photos: without(photos, photoId) }),
    delay: UNDO_TIME,
    isDeletion: true,
  },
  "orderQuestions.answer": {
    way: "append",
    apply: ({ questions }, { text }, { key, madeAt }) => ({
      questions: [...questions, {
        id: key,
        by: "member",
        name: "",
        text,
        at: new Date(madeAt).toISOString(),
      }],
    }),
    request: ({ objectId, args }) => ({
      method: "POST",
      path: `/orders/${objectId}/questions`,
      body: { text: args.text },
    }),
    part: () => "questions",
    taken: (question, object) => ({ questions: [...object?.questions ?? [], question] }),
  },
};

/** @param {Item} earlier @param {Item} later */
function joinSame(earlier, later) {
  return earlier.op === later.op ? joinFields(earlier, later) : undefined;
}

/** The item with the fields; undefined where nothing is left of it. @param {object | undefined} item @param {Record<string, any>} fields */
function itemOf(item, fields) {
  const changed = withFields(item ?? {}, fields);
  return Object.keys(changed).length ? changed : undefined;
}

/** A time is of a day: without the day there is none. @param {any} details */
function withoutTime(details) {
  return details.dueOn ? details : withFields(details, { dueTime: null });
}

// Mutations of grids and their buttons, which the app shows as tiles.

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
