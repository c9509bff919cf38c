// Mutations: the one table of all that a person can change, and the one way it is saved.
//
// A change is shown at once, stored, sent when it can be, repeated until there is a response, merged by field with what
// others changed, and listed in the sheet of waiting changes with its conflict or its problem. All of that follows from
// its entry here, whose name is `<kind>.<what is done>`. A new change of a known kind is one entry; the simplest, fields
// of an object that the API has at one path, is a line of `field-mutations.js`. A new kind (payments) is
// besides that one line in `domain/kinds.js`, which says where the API has it; its words are `common.kinds`. Screens make
// a change with `change` of `state/records.js`, show the object with `record`, an error of a field with `fieldProblem`
// and a conflict with `conflictChoice`. What only the server can do, or cannot be repeated from stored arguments alone
// (a confirmation, a PDF), is no change but a command: see `state/commands.js`. A photo is both: its upload is a command
// with the bytes, which gives the id that the change then sets.

import { KINDS } from "../../domain/kinds.js";
import { customerMutations } from "./customer-mutations.js";
import { estimateMutations } from "./estimate-mutations.js";
import { fieldMutations } from "./field-mutations.js";
import { gridMutations } from "./grid-mutations.js";
import { inboxMutations } from "./inbox-mutations.js";
import { orderMutations } from "./order-mutations.js";
import { paymentMutations } from "./payment-mutations.js";
import { shelfMutations } from "./shelf-mutations.js";
import { same } from "./same.js";

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
  ...shelfMutations,
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
