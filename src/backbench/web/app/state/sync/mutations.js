// Mutations: the one table of all that a person can change, and the one way it is saved.
//
// A change is shown at once, stored, sent when it can be, repeated until there is a response, merged by field with what
// others changed, and listed in the sheet of waiting changes with its conflict or its problem. All of that follows from
// its entry here, whose name is `<kind>.<what is done>`. A new change of a known kind is one entry, most of them a line;
// a new kind is besides that one line in `domain/kinds.js`, which says where the API has it; its words are `kinds` of
// `words/errors.js`. Screens make a change with `change` of `state/records.js`, show the object with `record` and its
// fields with `boundFields`. Devices keep changes over versions of the app: names and arguments stay.
// What only the server can do, or cannot be repeated from stored arguments alone (a confirmation, a PDF), is no change
// but a command: see `state/commands.js`. A logo is both: its upload is a command with the bytes, which gives the id
// that the change then sets.

import { KINDS } from "../../domain/kinds.js";
import {
  added,
  ALL,
  append,
  create,
  edit,
  edited,
  joined,
  joinLast,
  joinSame,
  moved,
  partsOf,
  remove,
  replace,
  TAPS,
  time,
  without,
} from "./mutation-forms.js";
import { same, UNDO_TIME, withFields } from "./values.js";

/** @typedef {import("../../local/memory.js").Item} Item */
/** @typedef {import("./mutation-forms.js").Mutation} Mutation */

// Orders, and what is kept of them apart.

/** A time is of a day: without the day there is none. @param {any} details */
const withoutTime = (details) => details.dueOn ? details : withFields(details, { dueTime: null });

/** The item with the fields; undefined where nothing is left of it. @param {object | undefined} item @param {Record<string, any>} fields */
function itemOf(item, fields) {
  const changed = withFields(item ?? {}, fields);
  return Object.keys(changed).length ? changed : undefined;
}

/** @param {any} object @param {string} list @param {string} id @param {(entry: any) => any} change */
function changedIn(object, list, id, change) {
  const entries = /** @type {{id: string}[]} */ (object?.[list] ?? []);
  return { [list]: entries.map((entry) => entry.id === id ? change(entry) : entry) };
}

const collected = (/** @type {Item} */ { objectId }) => `/orders/${objectId}/collected`;
const photo = (/** @type {Item} */ { args }) => `/photos/${args.photoId}`;

/** @type {Record<string, Mutation>} */
const ORDERS = {
  "order.create": create("orders", (at, { title, customerName = "" }) => ({
    title,
    customerName,
    notes: "",
    status: "todo",
    lastActivityAt: at,
    statusHistory: [{ status: "todo", at }],
  })),
  "order.edit": edit("order", { takes: ["title", "customerName"] }),
  "order.delete": remove("order"),
  "order.move": {
    way: "move",
    apply: (order, { status }, item) => {
      const at = time(item);
      if (order.status === status) return order;
      return {
        ...order,
        status,
        lastActivityAt: at,
        statusHistory: [...order.statusHistory, { status, at }],
      };
    },
    request: ({ objectId, args: { status } }) => ({
      method: "PATCH",
      path: `/orders/${objectId}/status`,
      body: { status },
    }),
    part: () => "status",
    join: (earlier, later) =>
      earlier.op === later.op && earlier.before?.status === later.args.status
        ? null
        : joinLast(earlier, later),
  },
  "orderDetails.edit": edit("orderDetails", {
    apply: (details, { fields }) => withoutTime(withFields(details, fields)),
    part: () => "details",
    references: ["customerId", "estimateId"],
    join: joinSame,
  }),
  // Two people can describe one thing: the server takes the item whole.
  "orderDetails.editItem": edit("orderDetails", {
    apply: (details, { fields }) => withFields(details, { item: itemOf(details.item, fields) }),
    body: ({ item }) => ({ item: item ?? null }),
    part: () => "item",
    target: ({ item }) => item ?? {},
    join: joinSame,
  }),
  "orderDetails.collect": {
    way: "append",
    apply: (details, { to }, item) =>
      details.collectedAt ? details : withFields(details, { collectedAt: time(item), collectedBy: to }),
    request: (item) => ({
      method: "POST",
      path: collected(item),
      body: item.args.to ? { to: item.args.to } : {},
    }),
    part: () => "collected",
  },
  "orderDetails.uncollect": {
    way: "remove",
    apply: (details) => withFields(details, { collectedAt: null, collectedBy: null }),
    request: (item) => ({ method: "DELETE", path: collected(item) }),
    part: () => "collected",
    join: (earlier) => earlier.op === "orderDetails.collect" ? null : undefined,
  },
  // Taken whole: a signature is somebody's, no two of them are merged.
  "orderSignature.sign": {
    way: "append",
    apply: (_, args, item) => ({ ...args, signedAt: time(item) }),
    request: ({ objectId, args }) => ({
      method: "PUT",
      path: KINDS.orderSignature.path(objectId),
      body: args,
    }),
    part: ALL,
    join: joinLast,
  },
  "orderSignature.clear": {
    way: "remove",
    apply: () => ({}),
    request: ({ objectId }) => ({ method: "DELETE", path: KINDS.orderSignature.path(objectId) }),
    part: ALL,
    join: (earlier) => earlier.op === "orderSignature.sign" ? null : undefined,
  },
  "orderNotices.add": append(
    "orderNotices",
    "notices",
    ({ notice }, item) => ({ ...notice, at: time(item), byUid: "" }),
    ({ notice }) => notice,
    true,
    { part: ({ notice }) => `${notice.kind} ${notice.channel}`, delay: UNDO_TIME },
  ),
  "orderQuestions.answer": append(
    "orderQuestions",
    "questions",
    ({ text }, item) => ({ by: "member", name: "", text, at: time(item) }),
    ({ text }) => ({ text }),
    false,
  ),
  "orderPayments.record": append(
    "orderPayments",
    "payments",
    ({ payment, shown }, item) => ({
      orderId: item.objectId,
      createdAt: time(item),
      createdByUid: "",
      ...shown,
      ...payment,
    }),
    ({ payment }) => payment,
    true,
    { delay: UNDO_TIME },
  ),
  "orderPayments.void": {
    way: "append",
    apply: (object, { paymentId, reason }, item) =>
      changedIn(object, "payments", paymentId, (one) => ({ ...one, voidedAt: time(item), reason })),
    request: ({ args: { paymentId, reason } }) => ({
      method: "POST",
      path: `/payments/${paymentId}/void`,
      body: { reason },
    }),
    part: () => "payments",
    taken: (payment, object) => changedIn(object, "payments", payment.id, () => payment),
  },
  "orderBalance.agree": edit("orderBalance", {
    // Documents ask for deposits, and an entered price is of none.
    apply: (balance, { fields }) =>
      withFields(balance, { ...fields, deposit: null, source: fields.agreed === null ? "none" : "entered" }),
    request: ({ objectId }) => ({ method: "PUT", path: `/orders/${objectId}/agreed` }),
    body: ({ agreed }) => ({ amount: agreed ?? null }),
    part: () => "agreed",
    join: () => undefined,
  }),
  /** The bytes are kept by the key of the item. */
  "orderPhotos.add": {
    way: "upload",
    apply: ({ photos }, { photoId: id, ...known }) => ({ photos: added(photos, { id, ...known }) }),
    request: ({ objectId, args: { photoId: _, ...known } }) => ({
      method: "POST",
      path: KINDS.orderPhotos.path(objectId),
      body: known,
    }),
    part: ({ photoId }) => photoId,
    taken: (one, object) => ({ photos: added(object?.photos ?? [], one) }),
  },
  "orderPhotos.edit": {
    way: "append",
    apply: ({ photos }, { photoId, fields }) => ({ photos: edited(photos, photoId, fields) }),
    request: (item) => ({ method: "PATCH", path: photo(item), body: item.args.fields }),
    part: ({ photoId }) => photoId,
    taken: (one, object) => changedIn(object, "photos", one.id, () => one),
    references: ["photoId"],
    join: (earlier, later) =>
      earlier.op === "orderPhotos.add"
        ? joined(earlier, { args: { ...earlier.args, ...later.args.fields } })
        : joinSame(earlier, later),
  },
  "orderPhotos.cover": {
    way: "list",
    list: "photos",
    apply: ({ photos }, { photoId }) => ({ photos: moved(photos, photoId, 0) }),
    request: ({ objectId }) => ({ method: "PUT", path: `/orders/${objectId}/photos/order` }),
    body: ({ photos }) => ({ photoIds: photos.map((/** @type {{id: string}} */ { id }) => id) }),
    part: () => "cover",
    // What was the cover for a moment need not be sent.
    join: joinLast,
  },
  "orderPhotos.delete": {
    way: "remove",
    apply: ({ photos }, { photoId }) => ({ photos: without(photos, photoId) }),
    request: (item) => ({ method: "DELETE", path: photo(item) }),
    part: ({ photoId }) => photoId,
    taken: (_, { photos }, { photoId }) => ({ photos: without(photos, photoId) }),
    references: ["photoId"],
    delay: UNDO_TIME,
    isDeletion: true,
  },
};

// Estimates and tiles, and all else.

const changedAt = (/** @type {Item} */ item) => ({ updatedAt: time(item) });
/** @param {Item} item */
const line = ({ objectId, args }) => `/estimates/${objectId}/line-items/${args.lineId}`;

/** @type {Record<string, Mutation>} */
const ESTIMATES = {
  "estimate.create": {
    ...create("estimates", (at, args) => ({
      name: "",
      markupPercent: 0,
      discountPercent: 0,
      lineItems: [],
      ...args,
      updatedAt: at,
    })),
    delay: TAPS,
  },
  "estimate.edit": edit("estimate", {
    apply: (estimate, { fields }, item) => withFields(estimate, { ...fields, ...changedAt(item) }),
  }),
  "estimate.delete": remove("estimate"),
  ...partsOf("estimate", "line", "lineItems", {}, {
    add: {
      way: "append",
      request: ({ objectId, args }) => ({
        method: "POST",
        path: `/estimates/${objectId}/line-items`,
        body: args.line,
      }),
    },
    edit: {
      way: "fields",
      request: (item) => ({ method: "PATCH", path: line(item), body: item.args.fields }),
      delay: TAPS,
    },
    delete: { way: "remove", request: (item) => ({ method: "DELETE", path: line(item) }) },
  }, changedAt),
  "grid.create": create("grids", (at, { name = "", iconSize = "medium", buttons = [] }) => ({
    name,
    iconSize,
    buttons,
    updatedAt: at,
  })),
  "grid.edit": edit("grid"),
  "grid.delete": remove("grid"),
  ...partsOf("grid", "tile", "buttons", { delay: 1_000 }),
};

/** @type {Record<string, Mutation>} */
const OTHERS = {
  "customer.create": create("customers", (at, args) => ({
    name: "",
    kind: "person",
    phones: [],
    emails: [],
    notes: "",
    ...args,
    updatedAt: at,
  })),
  "customer.edit": edit("customer", { adds: ["e164"] }),
  "customer.delete": remove("customer"),
  "invoice.edit": edit("invoice", {
    adds: ["amount"],
    // The server says what an advance is of by its total.
    target: (invoice) => ({ amount: invoice.total, ...invoice }),
  }),
  // The server takes the buyer whole.
  "invoice.editBuyer": edit("invoice", {
    part: () => "buyer",
    apply: (invoice, { fields }) => ({ ...invoice, buyer: withFields(invoice.buyer, fields) }),
    body: ({ buyer }) => ({ buyer: { isConsumer: false, ...buyer } }),
    target: ({ buyer }) => buyer,
    join: joinSame,
  }),
  "invoice.delete": remove("invoice"),
  /** Done with it, for every member. */
  "inbox.dismiss": remove(
    "inbox",
    ({ objectId, workshopId }) => `/workshops/${workshopId}/inbox/${encodeURIComponent(objectId)}`,
  ),
  "workshop.edit": edit("workshop"),
  "workshop.editNotes": edit("workshop", {
    part: () => "notes",
    apply: (workshop, { fields }) => ({ ...workshop, context: { ...workshop.context, ...fields } }),
    request: ({ objectId, args }) => ({
      method: "PUT",
      path: `/workshops/${objectId}/context`,
      body: args.fields,
    }),
    target: ({ context }) => context ?? { notes: "" },
    taken: (context, workshop) => ({ ...workshop, context }),
  }),
  "settings.edit": replace("settings", { part: () => "settings" }),
  "document.edit": replace("document", {
    part: () => "document",
    references: ["customerId"],
    // Left out where they are net.
    target: (facts) => ({ pricesEntered: "net", ...facts }),
  }),
  // By the ids of lines: two people can set the taxes of two lines.
  "document.editTaxes": replace("document", {
    part: () => "taxes",
    apply: (facts, { fields }) => {
      const lineTaxes = withFields(facts.lineTaxes ?? {}, fields);
      return withFields(facts, { lineTaxes: Object.keys(lineTaxes).length ? lineTaxes : null });
    },
    target: ({ lineTaxes }) => lineTaxes ?? {},
  }),
  "profile.edit": edit("profile"),
};

/** @type {Record<string, Mutation>} */
const MUTATIONS = { ...ORDERS, ...ESTIMATES, ...OTHERS };

/** @param {string} op @returns {Mutation} */
export function mutation(op) {
  const found = MUTATIONS[op];
  if (!found) throw new Error(`unknown mutation ${op}`);
  return found;
}

/** @param {any} object @param {Item} item */
export function applied(object, item) {
  const { way, apply } = mutation(item.op);
  const present = object ?? KINDS[item.kind].empty;
  if (!present && way !== "create") return undefined;
  if (item.problem && (way === "delete" || way === "remove")) return object;
  return apply(present, item.args, item);
}

/**
 * The fields of a change with what the object has of them; undefined where there is nothing that has them.
 * @param {any} object @param {Item} item
 * @returns {{field: string, mine: unknown, theirs: unknown, isMine: boolean}[] | undefined}
 */
export function compared(object, { op, args }) {
  const { target, adds } = mutation(op);
  const record = object && target?.(object, args);
  return record && Object.entries(args.fields ?? {}).map(([field, mine]) => {
    const theirs = record[field] ?? null;
    return { field, mine, theirs, isMine: same(theirs, mine, adds) };
  });
}

/** The fields that somebody else changed to another value since the person saw them, as the server has them; none of a refused change. @param {any} object @param {Item} item */
export function conflictsOf(object, item) {
  const { op, before } = item;
  if (!before || item.problem) return [];
  // What the server has added since is nobody's change.
  return compared(object, item)?.filter(({ field, theirs, isMine }) =>
    !isMine && field in before && !same(theirs, before[field], mutation(op).adds)
  ) ?? [];
}

/** Whether two changes of one object concern the same part of it. @param {Item} one @param {Item} other */
export function overlap(one, other) {
  const parts = [mutation(one.op).part(one.args), mutation(other.op).part(other.args)];
  return parts.includes("*") || parts[0] === parts[1];
}
