// Kinds of objects that this browser keeps a copy of: where the API has one, and what it is a part of.

/**
 * `path` is that of one object; `read` finds it in the response to a GET. `isListed`: the lists and the changes of a
 * workshop contain it, so that one which they lack is gone. `empty` is what there is before anything was set.
 * @typedef {{path: (id: string) => string, read?: (data: any) => any, isListed?: boolean, empty?: object}} KindOf
 */

export const KINDS = {
  order: of({ path: (id) => `/orders/${id}`, read: ({ order }) => order, isListed: true }),
  estimate: of({ path: (id) => `/estimates/${id}`, isListed: true }),
  grid: of({ path: (id) => `/grids/${id}`, isListed: true }),
  /** Listed by name, apart from the lists of the board: see `state/customers.js`. */
  customer: of({ path: (id) => `/customers/${id}` }),
  /** The document facts of an estimate, by its id. */
  document: of({ path: (id) => `/estimates/${id}/document`, empty: {} }),
  /** What belongs to an order besides: its details, what its customer was told, and asked; photos. By its id. */
  orderDetails: of({ path: (id) => `/orders/${id}/details`, empty: {} }),
  orderNotices: of({ path: (id) => `/orders/${id}/notices`, empty: { notices: [] } }),
  orderSignature: of({ path: (id) => `/orders/${id}/signature`, empty: {} }),
  orderQuestions: of({ path: (id) => `/orders/${id}/questions`, empty: { questions: [] } }),
  /** The payments for an order, and what was agreed and is due. By its id. */
  orderPayments: of({ path: (id) => `/orders/${id}/payments`, empty: { payments: [] } }),
  orderBalance: of({ path: (id) => `/orders/${id}/balance`, empty: {} }),
  orderPhotos: of({ path: (id) => `/orders/${id}/photos`, empty: { photos: [] } }),
  workshop: of({ path: (id) => `/workshops/${id}` }),
  /** The document settings of a workshop, by its id. */
  settings: of({ path: (id) => `/workshops/${id}/document-settings` }),
  /** What the summary of an order has besides its details, by the order's id: the server gives it in lists only. */
  orderSummary: of({ path: (id) => `/orders/${id}/details` }),
  /** What waits for a person, by the id of the item: the server gives it in one list. */
  inbox: of({ path: (id) => `/inbox/${id}` }),
  /** The account's own, by the id `ME`. */
  profile: of({ path: () => "/me" }),
};

/** @typedef {keyof typeof KINDS} Kind */

/** The id of the profile: the service says who it is by the session. */
export const ME = "me";

export const KIND_NAMES = /** @type {Kind[]} */ (Object.keys(KINDS));

/** @param {KindOf} kind @returns {KindOf} */
function of(kind) {
  return kind;
}
