// Mutations of the inbox.

import { UNDO_TIME } from "./parts.js";

/** @typedef {import("./mutations.js").Mutation} Mutation */

/** @type {Record<string, Mutation>} */
export const inboxMutations = {
  /** Done with it, for every member. */
  "inbox.dismiss": {
    way: "delete",
    apply: () => undefined,
    request: ({ objectId, workshopId }) => ({
      method: "DELETE",
      path: `/workshops/${workshopId}/inbox/${encodeURIComponent(objectId)}`,
    }),
    part: () => "*",
    delay: UNDO_TIME,
    isDeletion: true,
  },
};
