// Mutations of orders.

import { joined, joinFields } from "./joins.js";
import { UNDO_TIME, withFields } from "./parts.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("./mutations.js").Mutation} Mutation */

/** @type {Record<string, Mutation>} */
export const orderMutations = {
  "order.create": {
    way: "create",
    apply: (_, args, item) => newOrder(args, item),
    request: (item) => ({ method: "POST", path: `/workshops/${item.workshopId}/orders`, body: item.args }),
    part: () => "*",
  },
  "order.edit": {
    way: "fields",
    apply: (order, { fields }) => withFields(order, fields),
    request: ({ objectId, args }) => ({ method: "PATCH", path: `/orders/${objectId}`, body: args.fields }),
    part: () => "fields",
    target: (order) => order,
    join: joinEdit,
  },
  "order.move": {
    way: "move",
    apply: (order, { status }, item) => movedOrder(order, status, item),
    request: ({ objectId, args }) => ({
      method: "PATCH",
      path: `/orders/${objectId}/status`,
      body: { status: args.status },
    }),
    part: () => "status",
    join: joinMove,
  },
  "order.delete": {
    way: "delete",
    apply: () => undefined,
    request: ({ objectId }) => ({ method: "DELETE", path: `/orders/${objectId}` }),
    part: () => "*",
    delay: UNDO_TIME,
    isDeletion: true,
  },
};

/** @param {Record<string, any>} args @param {Item} item @returns {Api.Order} */
function newOrder({ title, customerName = "" }, { objectId, workshopId, madeAt }) {
  const at = new Date(madeAt).toISOString();
  return {
    id: objectId,
    workshopId,
    title,
    customerName,
    notes: "",
    status: "todo",
    createdAt: at,
    lastActivityAt: at,
    statusHistory: [{ status: "todo", at }],
  };
}

/** @param {Api.Order} order @param {Api.Order["status"]} status @param {Item} item @returns {Api.Order} */
function movedOrder(order, status, { madeAt }) {
  if (order.status === status) return order;
  const at = new Date(madeAt).toISOString();
  return { ...order, status, lastActivityAt: at, statusHistory: [...order.statusHistory, { status, at }] };
}

/** @param {Item} earlier @param {Item} later */
function joinEdit(earlier, later) {
  if (earlier.op === "order.edit") return joinFields(earlier, later);
  // A creation takes no notes.
  if (earlier.op !== "order.create" || "notes" in later.args.fields) return undefined;
  return joined(earlier, { args: { ...earlier.args, ...later.args.fields } });
}

/** @param {Item} earlier @param {Item} later */
function joinMove(earlier, later) {
  if (earlier.op !== "order.move") return undefined;
  if (earlier.before?.status === later.args.status) return null;
  return joined(earlier, { args: later.args });
}
