// Conflicts of a field, and why the server refused what was typed in it.

import { core, replica, wake } from "./outbox.js";
import { conflicts } from "./status.js";

/** @typedef {import("./status.js").Conflict} Conflict */
/** @typedef {import("../domain/kinds.js").Kind} Kind */
/** @typedef {import("../api/problems.js").FieldError} FieldError */

/** Why the server refused what was typed in a field, if it did. @param {Kind} kind @param {string} id @param {string} field @param {string} [pointer] of a part of the field @returns {FieldError | undefined} */
export function fieldProblem(kind, id, field, pointer = `/${field}`) {
  return (replica.pending.get(replica.presentId(id)) ?? [])
    .filter((item) => item.kind === kind && field in (item.args.fields ?? {}))
    .flatMap(({ problem }) => problem?.errors ?? [])
    .find((error) => error.pointer.startsWith(pointer));
}

/** The conflict of a field, if there is one. `part` is that of the change: the id of a line or tile, or a name such as "fields". @param {string} objectId @param {string} field @param {string} [part] @returns {Conflict | undefined} */
export function conflictOf(objectId, field, part = "fields") {
  const id = replica.presentId(objectId);
  return conflicts.value.find((found) =>
    found.item.objectId === id && found.field === field && partOf(found.item) === part
  );
}

/** @param {Conflict["item"]} item */
export const partOf = ({ op, args }) => core.mutation(op).part(args);

/** Sends this person's value. @param {Conflict} conflict */
export function keepMine({ item: { key }, field, theirs }) {
  const item = replica.item(key);
  if (!item) return;
  replica.commit({ items: [{ ...item, before: { ...item.before, [field]: theirs } }] });
  void wake();
}

/** Gives up this person's value. @param {Conflict} conflict */
export function takeTheirs({ item: { key }, field }) {
  const item = replica.item(key);
  if (!item) return;
  const { [field]: _, ...fields } = item.args.fields;
  const isEmpty = Object.keys(fields).length === 0;
  replica.commit(isEmpty ? { dropped: [key] } : { items: [{ ...item, args: { ...item.args, fields } }] });
  void wake();
}
