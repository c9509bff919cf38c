// Edits: of the profile, of a workshop with its sign, its document settings and its plan, and which of that is saved.

import { call } from "../api/client.js";
import { once } from "./commands.js";
import { ME } from "../domain/kinds.js";
import { connection } from "./connection.js";
import { replica, settle } from "./outbox.js";
import { language } from "./preferences.js";
import { change, open } from "./records.js";
import { documentSettings, entitlements, loadWorkshops, workshop, workshopId } from "./workshops.js";

/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

/** @param {Api.ProfileEdit} fields */
export function updateProfile(fields) {
  if (fields.locale) language.value = fields.locale;
  return change("profile", "edit", ME, fields);
}

/** Changes the sign. @param {Api.WorkshopEdit} fields */
export function updateWorkshop(fields) {
  const id = workshopId.value;
  return change("workshop", "edit", id, fields, { workshopId: id });
}

/** Undefined and null remove a setting. @param {{[K in keyof Api.DocumentSettings]?: Api.DocumentSettings[K] | null | undefined}} fields */
export function updateSettings(fields) {
  const id = workshopId.value;
  return change("settings", "edit", id, fields, { workshopId: id });
}

/** What drafts of messages should know. @param {string} notes */
export function updateNotes(notes) {
  const id = workshopId.value;
  return change("workshop", "editNotes", id, { notes }, { workshopId: id });
}

/** Needs a connection. Throws Problem. @param {Api.NewWorkshop} body */
export async function createWorkshop(body) {
  const made = await once("POST /workshops", {}, { body });
  await replica.commit({
    objects: [{ kind: "workshop", id: made.id, workshopId: made.id, value: made, etag: null }],
  });
  return made;
}

/** Needs a connection. Throws Problem. */
export async function synthesizeContext() {
  const id = await settle(workshopId.value);
  await once("POST /workshops/{workshopId}/context/synthesis", { workshopId: id });
  await open("workshop", id);
}

/** Needs a connection. Throws Problem. */
export async function startTrial() {
  const id = workshopId.value;
  const plan = await once("POST /workshops/{workshopId}/billing/trial", { workshopId: id });
  if (id === workshopId.peek()) entitlements.value = plan;
  await loadWorkshops();
}

/** Needs a connection. Throws Problem `has_invoices` without `withInvoices`. @param {{ withInvoices?: "true" }} params */
export async function deleteWorkshop(params) {
  const id = workshopId.value;
  // Loaded before: without a connection it could not be afterwards.
  const { forget } = await import("./sync/lists.js");
  await call("DELETE /workshops/{workshopId}", { workshopId: id, ...params });
  await forget(replica, id);
}

/** @typedef {import("../domain/kinds.js").Kind} Kind */
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
  const items = (replica.pending.get(replica.presentId(id)) ?? []).filter((item) => item.kind === kind);
  if (!items.length) return "saved";
  const isGoing = connection.value.online && items.some(({ problem, attempts }) => !problem && !attempts);
  return isGoing ? "saving" : "waiting";
}
