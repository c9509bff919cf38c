// Mutations of what belongs to an order besides: details, collection, notices to its customer, answers to questions.

import { joinFields } from "./joins.js";
import { withFields } from "./parts.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("./mutations.js").Mutation} Mutation */

// As long as the offer to take it back.
const UNDO_DELAY = 6_000;

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
    delay: UNDO_DELAY,
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
