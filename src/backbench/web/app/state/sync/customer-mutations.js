// Mutations of customers.

import { joined } from "./joins.js";
import { UNDO_TIME } from "./parts.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("./mutations.js").Mutation} Mutation */

/** @type {Record<string, Mutation>} */
export const customerMutations = {
  "customer.create": {
    way: "create",
    apply: (_, args, item) => newCustomer(args, item),
    request: (item) => ({ method: "POST", path: `/workshops/${item.workshopId}/customers`, body: item.args }),
    part: () => "*",
  },
  "customer.delete": {
    way: "delete",
    apply: () => undefined,
    request: ({ objectId }) => ({ method: "DELETE", path: `/customers/${objectId}` }),
    part: () => "*",
    delay: UNDO_TIME,
    isDeletion: true,
  },
};

/** What is edited before the creation was sent is created with it. @param {Item} earlier @param {Item} later @returns {Item | undefined} */
export function joinCreation(earlier, later) {
  if (earlier.op !== "customer.create") return undefined;
  const fields = Object.entries({ ...earlier.args, ...later.args.fields });
  return joined(earlier, { args: Object.fromEntries(fields.filter(([, value]) => value !== null)) });
}

/** @param {Record<string, any>} args @param {Item} item @returns {Api.Customer} */
function newCustomer(args, { objectId, workshopId, madeAt }) {
  const at = new Date(madeAt).toISOString();
  return {
    name: "",
    kind: "person",
    phones: [],
    emails: [],
    notes: "",
    ...args,
    id: objectId,
    workshopId,
    createdAt: at,
    updatedAt: at,
  };
}
