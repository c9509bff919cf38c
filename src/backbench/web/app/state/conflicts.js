// Conflicts: fields that somebody else changed while a change of this person waited.

import { computed } from "../vendor/signals-core.js";
import { replica, wake } from "./outbox.js";
import { mutation } from "./sync/mutations.js";
import { conflictsAmong } from "./sync/queue.js";

/**
 * `part` is that of the change: the id of a line or tile, or a name such as "fields".
 * @typedef {object} Conflict
 * @property {string} key of the change, for `keepMine` and `takeTheirs`
 * @property {string} objectId
 * @property {string} part
 * @property {string} field
 * @property {unknown} mine
 * @property {unknown} theirs
 */

/** All conflicts. */
export const conflicts = computed(() =>
  [...replica.pending.value.values()].flatMap((items) =>
    conflictsAmong(replica, items).map(({ item, ...found }) => ({
      ...found,
      objectId: item.objectId,
      part: mutation(item.op).part(item.args),
    }))
  )
);

/** The conflict of a field, if there is one. @param {string} objectId @param {string} field @param {string} [part] @returns {Conflict | undefined} */
export function conflictOf(objectId, field, part = "fields") {
  const id = replica.presentId(objectId);
  return conflicts.value.find((found) =>
    found.objectId === id && found.field === field && found.part === part
  );
}

/** Sends this person's value. @param {Conflict} conflict */
export function keepMine({ key, field, theirs }) {
  const item = replica.item(key);
  if (!item) return;
  replica.commit({ items: [{ ...item, before: { ...item.before, [field]: theirs } }] });
  void wake();
}

/** Gives up this person's value. @param {Conflict} conflict */
export function takeTheirs({ key, field }) {
  const item = replica.item(key);
  if (!item) return;
  const { [field]: _, ...fields } = item.args.fields;
  const isEmpty = Object.keys(fields).length === 0;
  replica.commit(isEmpty ? { dropped: [key] } : { items: [{ ...item, args: { ...item.args, fields } }] });
  void wake();
}
