// Estimates, their line items, totals and document facts.

import { request } from "../api/client.js";
import { computed } from "../vendor/signals-core.js";
import { isLocal, localId, newId } from "../domain/ids.js";
import { command } from "./commands.js";
import { drop, enqueue, replica, settle } from "./outbox.js";
import { act, change, open, record, shown, softly } from "./records.js";
import { showWorkshop, tilePrices, workshopId } from "./workshops.js";

/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

/** @param {string} id @returns {import("./records.js").Seen<Api.Estimate | undefined>} */
export function estimate(id) {
  return record("estimate", id);
}

/** The estimates that this browser has, of the workshop that is shown. @type {ReadonlySignal<Api.Estimate[]>} */
export const estimates = computed(() =>
  [...replica.views.estimate.value.values()].filter((one) => one.workshopId === workshopId.value)
);

/**
 * What this browser has is shown at once, then what the server has. Throws Problem where there is no estimate to show.
 * @param {string} id
 */
export async function openEstimate(id) {
  await showWorkshop("estimate", id, Promise.all([open("estimate", id), loadFacts(id)]));
}

/** Returns the id of the new estimate. @param {Api.NewEstimate} fields */
export function createEstimate(fields) {
  const id = localId();
  const lineItems = (fields.lineItems ?? []).map(withId);
  // Said now: the workshop's may be others when this is sent.
  enqueue("estimate.create", id, workshopId.value, { pricesEntered: tilePrices.value, ...fields, lineItems });
  return id;
}

/** @param {string} id @param {Omit<Api.EstimateEdit, "lineItems">} fields */
export function editEstimate(id, fields) {
  return change("estimate", "edit", id, fields);
}

/** Returns the id of the new line. @param {string} id @param {Api.NewLineItem} line */
export function addLine(id, line) {
  const made = withId(line);
  act("estimate", "addLine", id, { line: made });
  return made.id;
}

/** @param {Api.NewLineItem} line @returns {Api.LineItem} */
function withId(line) {
  return { ...line, id: line.id ?? newId() };
}

/** @param {string} id @param {string} lineId @param {Api.LineItemEdit} fields */
export function editLine(id, lineId, fields) {
  return change("estimate", "editLine", id, fields, { args: { lineId } });
}

/** Sent after six seconds, or when something is made of the estimate. Returns what takes it back. @param {string} id @param {string} lineId */
export function deleteLine(id, lineId) {
  /** @type {Api.LineItem[]} */
  const lines = shown("estimate", id)?.lineItems ?? [];
  const index = lines.findIndex((line) => line.id === lineId);
  const key = act("estimate", "deleteLine", id, { lineId });
  return () => {
    const [waiting, line] = [key && replica.item(key), lines[index]];
    if (waiting && !waiting.isSent) return drop(key);
    if (!line) return;
    addLine(id, line);
    moveLine(id, lineId, index);
  };
}

/** @param {string} id @param {string} lineId @param {number} index where it stands afterwards */
export function moveLine(id, lineId, index) {
  return act("estimate", "moveLine", id, { lineId, index });
}

/** One of the list need not be on this device. Sent after six seconds; `drop` with the returned key takes it back. @param {string} id */
export function deleteEstimate(id) {
  const of = shown("estimate", id)?.workshopId ?? workshopId.peek();
  return enqueue("estimate.delete", replica.presentId(id), of, {});
}

/** Returns the id of the copy. Needs a connection. Throws Problem. @param {string} id */
export async function duplicateEstimate(id) {
  const present = await settle(id);
  const { data, etag } = await command(
    ["copy", present],
    (key) => request("POST /estimates/{estimateId}/duplicate", { estimateId: present }, { key }),
  );
  await keep(data, etag);
  return data.id;
}

/** Stores an estimate as the server gave it. @param {Api.Estimate} value @param {string | null} etag */
export async function keep(value, etag) {
  await replica.commit({
    objects: [{ kind: "estimate", id: value.id, workshopId: value.workshopId, value, etag }],
  });
}

/** The document facts; null until they are known. @param {string} id @returns {import("./records.js").Seen<Api.DocumentFacts | null>} */
export function facts(id) {
  const known = record("document", id);
  const none = () => isLocal(replica.presentId(id)) ? NO_FACTS : null;
  return {
    get value() {
      return known.value ?? none();
    },
    peek: () => known.peek() ?? none(),
  };
}

/** @type {Api.DocumentFacts} */
const NO_FACTS = {};

/** @param {string} id */
export function loadFacts(id) {
  // The estimate itself says what is wrong.
  return isLocal(replica.presentId(id)) || softly(() => open("document", id, ofWorkshop(id).workshopId));
}

/** @typedef {{ [K in keyof Api.DocumentFacts]: Api.DocumentFacts[K] | null | undefined }} FactsEdit null, undefined and "" remove a fact */

/** Changes document facts; those not named stay. @param {string} id @param {FactsEdit} fields */
export function editFacts(id, fields) {
  const given = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === "" ? null : value]),
  );
  return change("document", "edit", id, given, ofWorkshop(id));
}

/** The tax of one line; null for that of the estimate.
 * @param {string} id @param {string} lineId @param {number | import("../domain/taxes.js").NoRate | null} tax */
export function editLineTax(id, lineId, tax) {
  return change("document", "editTaxes", id, { [lineId]: tax }, ofWorkshop(id));
}

/** @param {string} id */
function ofWorkshop(id) {
  return { workshopId: shown("estimate", id)?.workshopId ?? workshopId.peek() };
}
