// Mutations: the one table of all that a person can change, and the one way it is saved.
//
// A change is shown at once, stored, sent when it can be, repeated until there is a response, merged by field with what
// others changed, and listed in the sheet of waiting changes with its conflict or its problem. All of that follows from
// its entry here, whose name is `<kind>.<what is done>`. A new change of a known kind is one entry; the simplest, fields
// of an object that the API has at one path, is a line of `fieldMutations` below. A new kind (payments) is besides that
// one line in `domain/kinds.js`, which says where the API has it; its words are `kinds` of `words/errors.js`. Screens
// make a change with `change` of `state/records.js`, show the object with `record` and its fields with `boundFields`.
// What only the server can do, or cannot be repeated from stored arguments alone (a confirmation, a PDF), is no change
// but a command: see `state/commands.js`. A photo is both: its upload is a command with the bytes, which gives the id
// that the change then sets.

import { KINDS } from "../../domain/kinds.js";
import { estimateMutations } from "./estimate-mutations.js";
import { gridMutations } from "./grid-mutations.js";
import { orderPartMutations } from "./order-part-mutations.js";
import { joined, joinFields, same, UNDO_TIME, withFields } from "./parts.js";

/** @type {Record<string, Mutation>} */
const inboxMutations = {
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

// Mutations of the money of an order: payments that are recorded and voided, and the price agreed without an estimate.

/** @type {Record<string, Mutation>} */
const paymentMutations = {
  "orderPayments.record": {
    way: "append",
    apply: ({ payments }, { payment, shown }, { key, madeAt, objectId }) => ({
      payments: [{
        id: key,
        orderId: objectId,
        createdAt: new Date(madeAt).toISOString(),
        createdByUid: "",
        ...shown,
        ...payment,
      }, ...payments],
    }),
    request: ({ objectId, args }) => ({
      method: "POST",
      path: `/orders/${objectId}/payments`,
      body: args.payment,
    }),
    part: () => "payments",
    taken: (payment, object) => ({ payments: [payment, ...object?.payments ?? []] }),
    delay: UNDO_TIME,
  },
  "orderPayments.void": {
    way: "append",
    apply: ({ payments }, { paymentId, reason }, { madeAt }) => ({
      payments: replaced(
        payments,
        paymentId,
        (payment) => ({ ...payment, voidedAt: new Date(madeAt).toISOString(), reason }),
      ),
    }),
    request: ({ args: { paymentId, reason } }) => ({
      method: "POST",
      path: `/payments/${paymentId}/void`,
      body: { reason },
    }),
    part: () => "payments",
    taken: (payment, object) => ({ payments: replaced(object?.payments ?? [], payment.id, () => payment) }),
  },
  "orderBalance.agree": {
    way: "fields",
    apply: (balance, { fields }) =>
      withFields(balance, { ...fields, source: fields.agreed === null ? "none" : "entered" }),
    request: ({ objectId }) => ({ method: "PUT", path: `/orders/${objectId}/agreed` }),
    body: ({ agreed }) => ({ amount: agreed ?? null }),
    part: () => "agreed",
    target: (balance) => balance,
  },
};

/** @param {{id: string}[]} payments @param {string} id @param {(payment: any) => any} change */
function replaced(payments, id, change) {
  return payments.map((payment) => payment.id === id ? change(payment) : payment);
}

// Mutations of objects that are edited field by field: document facts, workshop, document settings, profile.

/** @typedef {import("../../domain/kinds.js").Kind} Kind */

/** @type {Record<string, Mutation>} */
const fieldMutations = {
  "workshop.edit": edit("workshop", "fields"),
  "workshop.editNotes": {
    ...edit("workshop", "notes"),
    apply: (workshop, { fields }) => ({ ...workshop, context: { ...workshop.context, ...fields } }),
    request: ({ objectId, args }) => ({
      method: "PUT",
      path: `/workshops/${objectId}/context`,
      body: args.fields,
    }),
    target: ({ context }) => context ?? { notes: "" },
    taken: (context, workshop) => ({ ...workshop, context }),
  },
  "settings.edit": replace("settings", "settings"),
  "document.edit": { ...replace("document", "document"), references: ["customerId"] },
  // By the ids of lines: two people can set the taxes of two lines.
  "document.editTaxes": {
    ...replace("document", "taxes"),
    apply: (facts, { fields }) => {
      const lineTaxes = withFields(facts.lineTaxes ?? {}, fields);
      return withFields(facts, { lineTaxes: Object.keys(lineTaxes).length ? lineTaxes : null });
    },
    target: ({ lineTaxes }) => lineTaxes ?? {},
  },
  "profile.edit": edit("profile", "fields"),
  "customer.edit": {
    ...edit("customer", "fields"),
    join: (earlier, later) =>
      earlier.op === later.op ? joinFields(earlier, later) : joinCreation(earlier, later),
  },
};

/** PATCH of the fields. @param {Kind} kind @param {string} part @returns {Mutation} */
function edit(kind, part) {
  return {
    way: "fields",
    apply: (object, { fields }) => withFields(object, fields),
    request: ({ objectId, args }) => ({
      method: "PATCH",
      path: KINDS[kind].path(objectId),
      body: args.fields,
    }),
    part: () => part,
    target: (object) => object,
    join: (earlier, later) => earlier.op === later.op ? joinFields(earlier, later) : undefined,
  };
}

/** PUT of the whole, with the fields changed in what the server has. @param {Kind} kind @param {string} part @returns {Mutation} */
function replace(kind, part) {
  return {
    ...edit(kind, part),
    body: (changed) => changed,
    request: ({ objectId }) => ({ method: "PUT", path: KINDS[kind].path(objectId) }),
  };
}

/** @type {Record<string, Mutation>} */
const customerMutations = {
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
function joinCreation(earlier, later) {
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

// Mutations of orders.

/** @type {Record<string, Mutation>} */
const orderMutations = {
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

/** @typedef {import("../../local/memory.js").Item} Item */

/**
 * How a mutation is delivered. `create`, `append`, `move`: once, by its key. `fields`: fields with If-Match.
 * `list`: the whole list with If-Match, from what the server has. `delete`: the object. `remove`: a part of it.
 * @typedef {"create" | "append" | "move" | "fields" | "list" | "delete" | "remove"} Way
 */

/**
 * @typedef {object} Mutation
 * @property {Way} way
 * @property {(object: any, args: Record<string, any>, item: Item) => any} apply the object with the change; undefined: deleted
 * @property {(item: Item) => {method: string, path: string, body?: unknown}} request
 * @property {(args: Record<string, any>) => string} part what of the object it concerns; "*" is all of it
 * @property {(object: any, args: Record<string, any>) => any} [target] what has the changed fields
 * @property {(changed: any) => unknown} [body] of `fields` and `list`: the body, from the changed object; without it
 *   the fields, or the list
 * @property {(data: any, object: any, args: Record<string, any>) => any} [taken] the object after the response, where that is a part of it
 * @property {string} [list] the member that holds the list
 * @property {(earlier: Item, later: Item) => Item | null | undefined} [join] both as one; null: they cancel out
 * @property {string[]} [references] fields whose values are ids of other objects, which have to be created first
 * @property {number} [delay] milliseconds before it is sent
 * @property {boolean} [isDeletion] of an object, or of a part of it: its delay is the time to undo it
 */

/** @type {Record<string, Mutation>} */
const MUTATIONS = {
  ...orderMutations,
  ...customerMutations,
  ...inboxMutations,
  ...orderPartMutations,
  ...paymentMutations,
  ...estimateMutations,
  ...gridMutations,
  ...fieldMutations,
};

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
 * The fields that somebody else changed to another value since the person saw them, as the server has them.
 * @param {any} object
 * @param {Item} item
 * @returns {{field: string, mine: unknown, theirs: unknown}[]}
 */
export function conflictsOf(object, item) {
  const { target } = mutation(item.op);
  const record = target && object ? target(object, item.args) : undefined;
  if (!record || !item.before) return [];
  const before = item.before;
  return Object.entries(item.args.fields ?? {})
    .filter(([field]) => field in before)
    .filter(([field, mine]) => !same(record[field], before[field]) && !same(record[field], mine))
    .map(([field, mine]) => ({ field, mine, theirs: record[field] ?? null }));
}

/** Whether the object has all fields of the change already. @param {any} object @param {Item} item */
export function isDone(object, item) {
  const { target } = mutation(item.op);
  const record = target?.(object, item.args);
  return !!record &&
    Object.entries(item.args.fields ?? {}).every(([field, value]) => same(record[field], value));
}

/** Whether two changes of one object concern the same part of it. @param {Item} one @param {Item} other */
export function overlap(one, other) {
  const parts = [mutation(one.op).part(one.args), mutation(other.op).part(other.args)];
  return parts.includes("*") || parts[0] === parts[1];
}
