// Edited objects: the workshop's sign and its document settings, for screens that save while they are edited.

import { connection } from "./connection.js";
import { replica } from "./outbox.js";
import { documentSettings, updateSettings, updateWorkshop, workshop, workshopId } from "./workshops.js";

/** @typedef {import("../domain/kinds.js").Kind} Kind */
/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */
/**
 * `part` names what of the object is edited, for conflicts; `save` changes fields, undefined and null remove one.
 * @template T
 * @typedef {{ kind: Kind, id: string, part: string, value: ReadonlySignal<T | null>,
 *   save: (fields: { [K in keyof T]?: T[K] | null | undefined }) => void }} Edited
 */

/** @returns {Edited<Api.Workshop>} */
export function editedWorkshop() {
  return {
    kind: "workshop",
    id: workshopId.value,
    part: "fields",
    value: workshop,
    save: (fields) => void updateWorkshop(/** @type {any} */ (fields)),
  };
}

/** @returns {Edited<Api.DocumentSettings>} */
export function editedSettings() {
  return {
    kind: "settings",
    id: workshopId.value,
    part: "settings",
    value: documentSettings,
    save: (fields) => void updateSettings(fields),
  };
}

/** Whether changes of the object are all sent, are being sent, or wait for somebody or something. @param {Kind} kind @param {string} id @returns {"saved" | "saving" | "waiting"} */
export function savingOf(kind, id) {
  const items = (replica.pending.value.get(replica.presentId(id)) ?? []).filter((item) => item.kind === kind);
  if (!items.length) return "saved";
  const isGoing = connection.value.online && items.some(({ problem, attempts }) => !problem && !attempts);
  return isGoing ? "saving" : "waiting";
}
