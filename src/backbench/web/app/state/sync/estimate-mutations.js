// Mutations of estimates and their line items.

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

// Taps that follow each other become one request.
const EDIT_DELAY = 2_000;

/** @type {Record<string, Mutation>} */
export const estimateMutations = {
  "estimate.create": {
    way: "create",
    apply: (_, args, item) => newEstimate(args, item),
    request: (item) => ({ method: "POST", path: `/workshops/${item.workshopId}/estimates`, body: item.args }),
    part: () => "*",
    delay: EDIT_DELAY,
  },
  "estimate.edit": {
    way: "fields",
    apply: (estimate, { fields }, item) => changed(estimate, fields, item),
    request: ({ objectId, args }) => ({ method: "PATCH", path: `/estimates/${objectId}`, body: args.fields }),
    part: () => "fields",
    target: (estimate) => estimate,
    join: (earlier, later) =>
      earlier.op === "estimate.edit"
        ? joinFields(earlier, later)
        : joinCreation(earlier, (args) => withFields(args, later.args.fields)),
  },
  "estimate.addLine": {
    way: "append",
    apply: (estimate, { line }, item) => withLines(estimate, (lines) => added(lines, line), item),
    request: ({ objectId, args }) => ({
      method: "POST",
      path: `/estimates/${objectId}/line-items`,
      body: args.line,
    }),
    part: ({ line }) => line.id,
    join: (earlier, later) => joinLines(earlier, (lines) => added(lines, later.args.line)),
  },
  "estimate.editLine": {
    way: "fields",
    apply: (estimate, { lineId, fields }, item) =>
      withLines(estimate, (lines) => edited(lines, lineId, fields), item),
    request: ({ objectId, args }) => ({
      method: "PATCH",
      path: `/estimates/${objectId}/line-items/${args.lineId}`,
      body: args.fields,
    }),
    part: ({ lineId }) => lineId,
    target: (estimate, { lineId }) =>
      estimate.lineItems.find((/** @type {Api.LineItem} */ line) => line.id === lineId),
    join: joinLineEdit,
    delay: EDIT_DELAY,
  },
  "estimate.deleteLine": {
    way: "remove",
    apply: (estimate, { lineId }, item) => withLines(estimate, (lines) => without(lines, lineId), item),
    request: ({ objectId, args }) => ({
      method: "DELETE",
      path: `/estimates/${objectId}/line-items/${args.lineId}`,
    }),
    part: ({ lineId }) => lineId,
    delay: UNDO_TIME,
    isDeletion: true,
  },
  "estimate.moveLine": {
    way: "list",
    list: "lineItems",
    apply: (estimate, { lineId, index }, item) =>
      withLines(estimate, (lines) => moved(lines, lineId, index), item),
    request: ({ objectId }) => ({ method: "PATCH", path: `/estimates/${objectId}` }),
    part: ({ lineId }) => lineId,
    join: (earlier, later) =>
      joinLines(earlier, (lines) => moved(lines, later.args.lineId, later.args.index)),
  },
  "estimate.reprice": {
    way: "list",
    list: "lineItems",
    apply: (estimate, { prices }, item) => withLines(estimate, (lines) => repriced(lines, prices), item),
    request: ({ objectId }) => ({ method: "PATCH", path: `/estimates/${objectId}` }),
    // After all edits of its lines, and before those that follow.
    part: () => "*",
  },
  "estimate.delete": {
    way: "delete",
    apply: () => undefined,
    request: ({ objectId }) => ({ method: "DELETE", path: `/estimates/${objectId}` }),
    part: () => "*",
    delay: UNDO_TIME,
    isDeletion: true,
  },
};

/** @param {Record<string, any>} args @param {Item} item @returns {Api.Estimate} */
function newEstimate(args, { objectId, workshopId, madeAt }) {
  const at = new Date(madeAt).toISOString();
  const defaults = { name: "", markupPercent: 0, discountPercent: 0, lineItems: [] };
  return { ...defaults, ...args, id: objectId, workshopId, createdAt: at, updatedAt: at };
}

/** @param {Api.Estimate} estimate @param {Partial<Api.Estimate>} fields @param {Item} item @returns {Api.Estimate} */
function changed(estimate, fields, { madeAt }) {
  return withFields(estimate, { ...fields, updatedAt: new Date(madeAt).toISOString() });
}

/** @param {Api.Estimate} estimate @param {(lines: Api.LineItem[]) => Api.LineItem[]} change @param {Item} item */
function withLines(estimate, change, item) {
  return changed(estimate, { lineItems: change(estimate.lineItems) }, item);
}

/** @param {Item} earlier @param {(args: Record<string, any>) => Record<string, any>} change */
function joinCreation(earlier, change) {
  if (earlier.op !== "estimate.create") return undefined;
  return joined(earlier, { args: change(earlier.args) });
}

/** @param {Item} earlier @param {(lines: Api.LineItem[]) => Api.LineItem[]} change */
function joinLines(earlier, change) {
  return joinCreation(earlier, (args) => ({ ...args, lineItems: change(args.lineItems ?? []) }));
}

/** @param {Item} earlier @param {Item} later */
function joinLineEdit(earlier, later) {
  const { lineId, fields } = later.args;
  if (earlier.op === "estimate.editLine") return joinFields(earlier, later);
  if (earlier.op === "estimate.addLine") {
    return joined(earlier, { args: { line: withFields(earlier.args.line, fields) } });
  }
  return joinLines(earlier, (lines) => edited(lines, lineId, fields));
}
