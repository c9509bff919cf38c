// Forms of mutations: what those of most kinds have in common. The table of all is `mutations.js`.

import { KINDS } from "../../domain/kinds.js";
import { same, UNDO_TIME, withFields } from "./values.js";

/** @typedef {import("../../domain/kinds.js").Kind} Kind */
/** @typedef {import("../../local/memory.js").Item} Item */

/**
 * How a mutation is delivered. `create`, `append`, `move`, `upload`: once, by its key. `fields`: fields with If-Match.
 * `list`: the whole list with If-Match, from what the server has. `delete`: the object. `remove`: a part of it.
 * An `upload` has bytes, which are kept apart. It takes long, so that it holds up nothing but what changes that part.
 * @typedef {"create" | "append" | "move" | "upload" | "fields" | "list" | "delete" | "remove"} Way
 */

/**
 * @typedef {object} Mutation
 * @property {Way} way
 * @property {(object: any, args: Record<string, any>, item: Item) => any} apply the object with the change; undefined: deleted
 * @property {(item: Item) => {method: string, path: string, body?: unknown}} request
 * @property {(args: Record<string, any>) => string} part what of the object it concerns; "*" is all of it
 * @property {(object: any, args: Record<string, any>) => any} [target] what has the changed fields
 * @property {readonly string[]} [adds] members that the server adds in the values of the fields
 * @property {(changed: any) => unknown} [body] of `fields` and `list`: the body, from the changed object; without it
 *   the fields, or the list
 * @property {(data: any, object: any, args: Record<string, any>) => any} [taken] the object after the response, where that is a part of it
 * @property {string} [list] the member that holds the list
 * @property {(earlier: Item, later: Item) => Item | null | undefined} [join] both as one; null: they cancel out
 * @property {string[]} [references] fields or arguments whose values are ids of what has to be created first
 * @property {number} [delay] milliseconds before it is sent
 * @property {boolean} [isDeletion] of an object, or of a part of it: its delay is the time to undo it
 */

/** All of the object: after what came before, and before what follows. */
export const ALL = () => "*";
const itself = (/** @type {any} */ object) => object;
export const time = (/** @type {Item} */ { madeAt }) => new Date(madeAt).toISOString();
// Taps that follow each other become one request.
export const TAPS = 2_000;

// What most kinds have.

/** POST to a list of the workshop. @param {string} list @param {(at: string, args: Record<string, any>) => object} usual @returns {Mutation} */
export function create(list, usual) {
  return {
    way: "create",
    apply: (_, args, item) => {
      const { objectId: id, workshopId } = item;
      return { ...usual(time(item), args), id, workshopId, createdAt: time(item) };
    },
    request: ({ workshopId, args }) => ({
      method: "POST",
      path: `/workshops/${workshopId}/${list}`,
      body: args,
    }),
    part: ALL,
  };
}

/** PATCH of the fields; what is edited before the creation was sent is created with it. @param {Kind} kind @param {Partial<Mutation> & {takes?: readonly string[]}} [more] `takes`: the fields of a creation, where those are not all @returns {Mutation} */
export function edit(kind, { takes, ...more } = {}) {
  return {
    way: "fields",
    apply: (object, { fields }) => withFields(object, fields),
    request: ({ objectId, args }) => ({
      method: "PATCH",
      path: KINDS[kind].path(objectId),
      body: args.fields,
    }),
    part: () => "fields",
    target: itself,
    join: (earlier, later) => {
      const { fields } = later.args;
      if (earlier.op === later.op) return joinFields(earlier, later);
      if (takes && Object.keys(fields).some((name) => !takes.includes(name))) return undefined;
      return joinCreation(earlier, (args) => withFields(args, fields));
    },
    ...more,
  };
}

/** PUT of the whole, with the fields changed in what the server has. @param {Kind} kind @param {Partial<Mutation>} more */
export function replace(kind, more) {
  const request = (/** @type {Item} */ { objectId }) => ({ method: "PUT", path: KINDS[kind].path(objectId) });
  return edit(kind, { body: itself, request, join: joinSame, ...more });
}

/** DELETE, when it cannot be taken back any more. @param {Kind} kind @param {(item: Item) => string} [path] @returns {Mutation} */
export function remove(kind, path = ({ objectId }) => KINDS[kind].path(objectId)) {
  return {
    way: "delete",
    apply: () => undefined,
    request: (item) => ({ method: "DELETE", path: path(item) }),
    part: ALL,
    delay: UNDO_TIME,
    isDeletion: true,
  };
}

/** POST of an entry to a list of the object, which gives the entry. @param {Kind} kind @param {string} list @param {(args: any, item: Item) => object} made what is shown meanwhile @param {(args: any) => unknown} body @param {boolean} isFirst whether the newest is the first @param {Partial<Mutation>} [more] @returns {Mutation} */
export function append(kind, list, made, body, isFirst, more = {}) {
  const withEntry = (/** @type {any} */ object, /** @type {object} */ entry) => {
    const entries = object?.[list] ?? [];
    return { [list]: isFirst ? [entry, ...entries] : [...entries, entry] };
  };
  return {
    way: "append",
    apply: (object, args, item) => withEntry(object, { id: item.key, ...made(args, item) }),
    request: ({ objectId, args }) => ({
      method: "POST",
      path: KINDS[kind].path(objectId),
      body: body(args),
    }),
    part: () => list,
    taken: (entry, object) => withEntry(object, entry),
    ...more,
  };
}

/**
 * Of the parts of a list: the lines of an estimate, the tiles of a grid. `ways` says how each is sent where that is not the
 * whole list, and `shown` what else changes with them.
 * @param {Kind} kind @param {string} name of a part @param {string} list @param {Partial<Mutation>} usual
 * @param {Record<string, Partial<Mutation>>} [ways] @param {(item: Item) => object} [shown]
 * @returns {Record<string, Mutation>}
 */
export function partsOf(kind, name, list, usual, ways = {}, shown = () => ({})) {
  const idOf = (/** @type {any} */ args) => args[`${name}Id`] ?? args[name].id;
  /** @param {string} what @param {(parts: any[], args: any) => any[]} work @param {Partial<Mutation>} [more] @returns {Mutation} */
  const part = (what, work, more = {}) => ({
    way: "list",
    list,
    apply: (object, args, item) => ({ ...object, [list]: work(object[list], args), ...shown(item) }),
    request: ({ objectId }) => ({ method: "PATCH", path: KINDS[kind].path(objectId) }),
    part: idOf,
    // The buttons of a template are known once the server has made the grid.
    join: (earlier, later) =>
      earlier.args.templateSlug
        ? undefined
        : joinCreation(earlier, (args) => ({ ...args, [list]: work(args[list] ?? [], later.args) })),
    ...usual,
    ...more,
    ...ways[what],
  });
  const editing = part("edit", (parts, args) => edited(parts, idOf(args), args.fields), {
    target: (object, args) => object[list].find((/** @type {{id: string}} */ { id }) => id === idOf(args)),
  });
  const of = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    [`${kind}.add${of}`]: part("add", (parts, args) => added(parts, args[name])),
    [`${kind}.edit${of}`]: {
      ...editing,
      join: (earlier, later) => {
        if (earlier.op === later.op) return joinFields(earlier, later);
        const made = earlier.args[name];
        return made
          ? joined(earlier, { args: { [name]: withFields(made, later.args.fields) } })
          : editing.join?.(earlier, later);
      },
    },
    [`${kind}.delete${of}`]: part("delete", (parts, args) => without(parts, idOf(args)), {
      delay: UNDO_TIME,
      isDeletion: true,
      join: () => undefined,
    }),
    [`${kind}.move${of}`]: part("move", (parts, args) => moved(parts, idOf(args), args.index)),
    // After all edits of the parts, and before those that follow.
    [`${kind}.reprice`]: part("reprice", (parts, args) => repriced(parts, args.prices), {
      part: ALL,
      join: () => undefined,
    }),
  };
}

/** @param {Item} earlier @param {Item} later */
export function joinSame(earlier, later) {
  return earlier.op === later.op ? joinFields(earlier, later) : undefined;
}

/** What was signed or chosen last. @param {Item} earlier @param {Item} later */
export function joinLast(earlier, later) {
  return earlier.op === later.op ? joined(earlier, { args: later.args }) : undefined;
}

/** @param {Item} earlier @param {(args: Record<string, any>) => Record<string, any>} change */
function joinCreation(earlier, change) {
  if (!earlier.op.endsWith(".create")) return undefined;
  return joined(earlier, { args: change(earlier.args) });
}

// Parts of an object in a list, by id: the line items of an estimate, the buttons of a grid.

/** @typedef {{id: string}} Part */

/** At the end, once: a part that is there already stays as it is. @template {Part} T @param {T[]} list @param {T} part */
export function added(list, part) {
  return list.some(({ id }) => id === part.id) ? list : [...list, part];
}

/** @template {Part} T @param {T[]} list @param {string} id @param {Partial<T>} fields */
export function edited(list, id, fields) {
  return list.map((part) => part.id === id ? withFields(part, fields) : part);
}

/** @template {Part} T @param {T[]} list @param {string} id */
export function without(list, id) {
  return list.filter((part) => part.id !== id);
}

/** @template {Part} T @param {T[]} list @param {string} id @param {number} index */
export function moved(list, id, index) {
  const part = list.find((entry) => entry.id === id);
  return part ? without(list, id).toSpliced(index, 0, part) : list;
}

/**
 * Parts with other prices, by their ids. A part whose price somebody has changed meanwhile keeps it.
 * @template {Part & {unitPrice: number}} T
 * @param {T[]} list
 * @param {Readonly<Record<string, readonly [from: number, to: number]>>} prices
 */
function repriced(list, prices) {
  return list.map((part) => {
    const [from, to] = prices[part.id] ?? [];
    return to !== undefined && part.unitPrice === from ? { ...part, unitPrice: to } : part;
  });
}

// Two changes as one.

/**
 * Edits of the same fields: the last value, and what was seen before the first. Null where that is the same.
 * @param {Item} earlier
 * @param {Item} later
 * @returns {Item | null}
 */
function joinFields(earlier, later) {
  const fields = { ...earlier.args.fields, ...later.args.fields };
  const before = { ...later.before, ...earlier.before };
  const isUndone = Object.keys(fields).every((field) =>
    field in before && same(fields[field], before[field])
  );
  return isUndone ? null : joined(earlier, { args: { ...earlier.args, fields }, before });
}

/** The earlier change with other members, as if it had not been refused. @param {Item} earlier @param {Partial<Item>} members @returns {Item} */
export function joined(earlier, members) {
  return { ...earlier, isSent: false, problem: null, ...members };
}
