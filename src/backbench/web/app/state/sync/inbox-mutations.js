// Mutations of the inbox.

/** @typedef {import("./mutations.js").Mutation} Mutation */

const UNDO_TIME = 6_000;

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
