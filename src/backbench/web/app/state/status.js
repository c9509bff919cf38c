// Status: the one answer to "is everything all right?": what the person should know of storing and sending.

import { computed, effect, signal } from "../vendor/signals-core.js";
import { connection } from "./connection.js";
import { core, replica } from "./outbox.js";
import { session } from "./session.js";

/**
 * `notStored`: a closed page loses what waits. `refused`: the server did not take changes. `conflict`: two people changed
 * one field. `expired`: the session has ended. `offline`: nothing answers. `serverAway`: something answers, but not the
 * service. `waiting`: changes are not sent, although they should be. `update`: a new version of the app is there.
 * @typedef {"notStored" | "refused" | "conflict" | "expired" | "offline" | "serverAway" | "waiting" | "update"} StatusName
 */
/** `count` is of the changes concerned. @typedef {{name: StatusName, count: number}} Status */

/** A field of a change of this person that somebody else changed meanwhile. @typedef {{ item: import("../local/memory.js").Item, field: string, mine: unknown, theirs: unknown }} Conflict */

/** The fields that somebody else changed while a change of this person waited. @type {import("../vendor/signals-core.js").ReadonlySignal<Conflict[]>} */
export const conflicts = computed(() =>
  [...replica.pending.value.values()].flatMap((items) => core.conflictsAmong(replica, items))
);

/** Takes the next version of the app; null while there is none. @type {import("../vendor/signals-core.js").Signal<(() => void) | null>} */
export const nextVersion = signal(null);
/** Whether the person signs in later, and goes on without sending. */
export const isSignInLater = signal(false);

effect(() => {
  if (session.value.phase !== "expired") isSignInLater.value = false;
});

/** All that there is to know, the most important first; empty while everything is all right. */
export const statuses = computed(() => {
  const { isStored, isAway, isOverdue, online, refused, waiting } = connection.value;
  const disputed = new Set(conflicts.value.map(({ item }) => item)).size;
  const isExpired = session.value.phase === "expired";
  /** @type {[StatusName, boolean, number][]} */
  const all = [
    ["notStored", !isStored, waiting],
    ["refused", refused > 0, refused],
    ["conflict", disputed > 0, disputed],
    ["expired", isExpired, waiting],
    ["serverAway", !online && isAway, waiting],
    ["offline", !online && !isAway, waiting],
    ["waiting", online && !isExpired && isOverdue && waiting > disputed, waiting - disputed],
    ["update", nextVersion.value !== null, 0],
  ];
  return all.filter(([, applies]) => applies).map(([name, , count]) => ({ name, count }));
});
