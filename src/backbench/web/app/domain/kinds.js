// Kinds of objects that this browser keeps a copy of: where the API has one, in which lists, and what goes with it.

/**
 * `path` is that of one object; `read` finds it in the response to a GET. `member`: of the responses to `changes` that have
 * the kind, by their `key` ("id"); `removed` is its name there, where it is another. `isListed`: `pull` loads its lists, so that
 * one which they lack is gone. `parts` are kept of it apart, by its id, and go with it. `empty` is what there is before
 * anything was set.
 * @typedef {{path: (id: string) => string, read?: (data: any) => any, member?: string, key?: string, removed?: string,
 *   isListed?: boolean, parts?: readonly string[], empty?: object}} KindOf
 */

export const KINDS = {
  order: of({
    path: (id) => `/orders/${id}`,
    read: ({ order }) => order,
    member: "orders",
    isListed: true,
    parts: [
      "orderDetails",
      "orderSummary",
      "orderNotices",
      "orderPhotos",
      "orderQuestions",
      "orderSignature",
      "orderPayments",
      "orderBalance",
    ],
  }),
  estimate: of({
    path: (id) => `/estimates/${id}`,
    member: "estimates",
    isListed: true,
    parts: ["document", "estimateSummary"],
  }),
  grid: of({ path: (id) => `/grids/${id}`, member: "grids", isListed: true }),
  /** Listed by name, apart from the lists of the board: see `state/customers.js`. */
  customer: of({ path: (id) => `/customers/${id}`, member: "customers" }),
  /** The document facts of an estimate, by its id. */
  document: of({ path: (id) => `/estimates/${id}/document`, empty: {} }),
  /** What belongs to an order besides: its details, what its customer was told, and asked; photos. By its id. */
  orderDetails: of({
    path: (id) => `/orders/${id}/details`,
    member: "orderDetails",
    key: "orderId",
    empty: {},
  }),
  orderNotices: of({ path: (id) => `/orders/${id}/notices`, empty: { notices: [] } }),
  orderSignature: of({ path: (id) => `/orders/${id}/signature`, empty: {} }),
  orderQuestions: of({ path: (id) => `/orders/${id}/questions`, empty: { questions: [] } }),
  /** The payments for an order, and what was agreed and is due. By its id. */
  orderPayments: of({ path: (id) => `/orders/${id}/payments`, empty: { payments: [] } }),
  orderBalance: of({ path: (id) => `/orders/${id}/balance`, empty: {} }),
  orderPhotos: of({ path: (id) => `/orders/${id}/photos`, empty: { photos: [] } }),
  invoice: of({ path: (id) => `/invoices/${id}`, member: "invoices" }),
  workshop: of({ path: (id) => `/workshops/${id}`, member: "workshop" }),
  /** The document settings of a workshop, by its id. */
  settings: of({ path: (id) => `/workshops/${id}/document-settings` }),
  /** What the summary of an order has besides its details, by the order's id: the server gives it in lists only. */
  orderSummary: of({ path: (id) => `/orders/${id}/details`, member: "orderSummaries", key: "orderId" }),
  /** What the list of estimates shows of one, by its id. */
  estimateSummary: of({
    path: (id) => `/estimates/${id}/totals`,
    member: "estimateSummaries",
    key: "estimateId",
    isListed: true,
  }),
  /** What waits for a person, by the id of the item: the server gives it in one list. */
  inbox: of({ path: (id) => `/inbox/${id}`, member: "inbox", removed: "inboxItem", isListed: true }),
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
