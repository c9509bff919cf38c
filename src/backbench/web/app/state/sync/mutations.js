// Mutations: every change of an order, estimate or grid: how it looks before it is sent, what is sent, what joins.

import { estimateMutations } from "./estimate-mutations.js";
import { gridMutations } from "./grid-mutations.js";
import { orderMutations } from "./order-mutations.js";
import { same } from "./same.js";

/** @typedef {import("../../local/memory.js").Item} Item */

/**
 * How a mutation is delivered. `create`, `append`, `move`: once, by its key. `fields`: PATCH of fields with If-Match.
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
 * @property {string} [list] the member that holds the list
 * @property {(earlier: Item, later: Item) => Item | null | undefined} [join] both as one; null: they cancel out
 * @property {number} [delay] milliseconds before it is sent
 * @property {boolean} [isDeletion] of an object, or of a part of it: its delay is the time to undo it
 */

/** @type {Record<string, Mutation>} */
const MUTATIONS = { ...orderMutations, ...estimateMutations, ...gridMutations };

/** @param {string} op @returns {Mutation} */
export function mutation(op) {
  const found = MUTATIONS[op];
  if (!found) throw new Error(`unknown mutation ${op}`);
  return found;
}

/** @param {any} object @param {Item} item */
export function applied(object, item) {
  const { way, apply } = mutation(item.op);
  if (!object && way !== "create") return undefined;
  if (item.problem && (way === "delete" || way === "remove")) return object;
  return apply(object, item.args, item);
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
