// Mutations of what belongs to an order besides: details, collection, notices to its customer, answers to questions, photos.

import { KINDS } from "../../domain/kinds.js";
import { edited, joined, joinFields, moved, UNDO_TIME, withFields, without } from "./parts.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("./mutations.js").Mutation} Mutation */

/** @type {Record<string, Mutation>} */
export const orderPartMutations = {
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
