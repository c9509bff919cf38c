// Estimates, their line items, totals and document facts.

import { computed, signal } from "../vendor/signals-core.js";
import * as api from "../api/estimates.js";
import { isProblem, isTemporary } from "../api/problems.js";
import { isLocal, localId, newId } from "../domain/ids.js";
import { totals as computeTotals } from "../domain/money.js";
import { enqueue, replica, settle } from "./outbox.js";
import { before, change, open, record, shown } from "./records.js";
import { same } from "./sync/same.js";
import { currency, documentSettings, workshopId } from "./workshops.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Estimate} Estimate */
/** @typedef {import("../../../../../types/shapes.d.ts").EstimateEdit} EstimateEdit */
/** @typedef {import("../../../../../types/shapes.d.ts").NewEstimate} NewEstimate */
/** @typedef {import("../../../../../types/shapes.d.ts").LineItem} LineItem */
/** @typedef {import("../../../../../types/shapes.d.ts").LineItemEdit} LineItemEdit */
/** @typedef {import("../../../../../types/shapes.d.ts").NewLineItem} NewLineItem */
/** @typedef {import("../../../../../types/shapes.d.ts").DocumentFacts} DocumentFacts */
/** @typedef {import("../domain/money.js").Totals} Totals */
/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

/** @type {Map<string, ReadonlySignal<Estimate | undefined>>} */
const estimatesById = new Map();

/**
 * The lines that have not changed are the same objects as before, also after an answer of the server.
 * @param {string} id @returns {ReadonlySignal<Estimate | undefined>}
 */
export function estimate(id) {
  const known = estimatesById.get(id);
  if (known) return known;
  /** @type {Map<string, LineItem>} */
  let lines = new Map();
  const made = computed(() => {
    /** @type {Estimate | undefined} */
    const found = record("estimate", id).value;
    if (!found) return undefined;
    const lineItems = found.lineItems.map((line) => {
      const former = lines.get(line.id);
      return former && same(former, line) ? former : line;
    });
    lines = new Map(lineItems.map((line) => [line.id, line]));
    return { ...found, lineItems };
  });
  estimatesById.set(id, made);
  return made;
}

/** The estimates that this browser has, of the workshop that is shown. @type {ReadonlySignal<Estimate[]>} */
export const estimates = computed(() =>
  [...replica.views.estimate.value.values()].filter((one) => one.workshopId === workshopId.value)
);

/**
 * What this browser has is shown at once, then what the server has. Returns whether there is an estimate to show; throws
 * Problem if it is gone.
 * @param {string} id
 */
export async function openEstimate(id) {
  const found = await Promise.all([open("estimate", id), loadFacts(id)]);
  return found[0];
}

/** Returns the id of the new estimate. @param {NewEstimate} fields */
export function createEstimate(fields) {
  const id = localId();
  const lineItems = (fields.lineItems ?? []).map(withId);
  enqueue("estimate.create", id, workshopId.value, { ...fields, lineItems });
  return id;
}

/** @param {string} id @param {Omit<EstimateEdit, "lineItems">} fields */
export function editEstimate(id, fields) {
  return change("estimate", "edit", id, { fields }, before(shown("estimate", id), fields));
}

/** Returns the id of the new line. @param {string} id @param {NewLineItem} line */
export function addLine(id, line) {
  const made = withId(line);
  change("estimate", "addLine", id, { line: made });
  return made.id;
}

/** @param {NewLineItem} line @returns {LineItem} */
function withId(line) {
  return { ...line, id: line.id ?? newId() };
}

/** @param {string} id @param {string} lineId @param {LineItemEdit} fields */
export function editLine(id, lineId, fields) {
  /** @type {LineItem[]} */
  const lines = shown("estimate", id)?.lineItems ?? [];
  const line = lines.find((one) => one.id === lineId);
  return line ? change("estimate", "editLine", id, { lineId, fields }, before(line, fields)) : null;
}

/** Sent after six seconds; `drop` with the returned key takes it back. @param {string} id @param {string} lineId */
export function deleteLine(id, lineId) {
  return change("estimate", "deleteLine", id, { lineId });
}

/** @param {string} id @param {string} lineId @param {number} index where it stands afterwards */
export function moveLine(id, lineId, index) {
  return change("estimate", "moveLine", id, { lineId, index });
}

/** Sent after six seconds; `drop` with the returned key takes it back. @param {string} id */
export function deleteEstimate(id) {
  return change("estimate", "delete", id, {});
}

/** Returns the id of the copy. Needs a connection. Throws Problem. @param {string} id */
export async function duplicateEstimate(id) {
  const { data, etag } = await api.duplicateEstimate(await settle(id), { key: newId() });
  await keep(data, etag);
  return data.id;
}

/** Confirms all that was changed. Needs a connection. Throws Problem. @param {string} id @param {{key?: string}} [options] */
export async function confirmEstimate(id, { key = newId() } = {}) {
  const confirmation = await api.confirmEstimate(await settle(id), { key });
  await keep(confirmation.estimate, null);
  return confirmation.revision;
}

/** @param {Estimate} value @param {string | null} etag */
async function keep(value, etag) {
  await replica.commit({
    objects: [{ kind: "estimate", id: value.id, workshopId: value.workshopId, value, etag }],
  });
}

/** @type {Map<string, import("../vendor/signals-core.js").Signal<DocumentFacts | null>>} */
const factsById = new Map();

/** The document facts; null until they are known. @param {string} id @returns {import("../vendor/signals-core.js").Signal<DocumentFacts | null>} */
export function facts(id) {
  const present = replica.presentId(id);
  const known = factsById.get(present) ?? factsById.get(id) ??
    signal(/** @type {DocumentFacts | null} */ (null));
  factsById.set(present, known);
  return known;
}

/** @param {string} id */
async function loadFacts(id) {
  const present = replica.presentId(id);
  const held = facts(id);
  if (isLocal(present)) return;
  held.value ??= await replica.fact(`document:${present}`) ?? null;
  try {
    await keepFacts(present, (await api.getEstimateDocument(present)).data);
  } catch (error) {
    // The estimate itself says what is wrong.
    if (!isProblem(error) || !(isTemporary(error) || [401, 403, 404].includes(error.status))) throw error;
  }
}

/** @param {string} id @param {DocumentFacts} found */
async function keepFacts(id, found) {
  facts(id).value = found;
  await replica.commit({ facts: { [`document:${id}`]: found } });
}

/** Replaces the document facts as a whole. Needs a connection. Throws Problem. @param {string} id @param {DocumentFacts} next */
export async function replaceFacts(id, next) {
  const present = await settle(id);
  await keepFacts(present, (await api.replaceEstimateDocument(present, next)).data);
}

/** @type {Map<string, ReadonlySignal<Totals | undefined>>} */
const totalsById = new Map();

/** The totals as the server would compute them. @param {string} id @returns {ReadonlySignal<Totals | undefined>} */
export function totals(id) {
  const known = totalsById.get(id);
  if (known) return known;
  const made = computed(() => {
    const shownNow = estimate(id).value;
    return shownNow && totalsOf(shownNow, facts(id).value ?? {});
  });
  totalsById.set(id, made);
  return made;
}

/** @param {Estimate} one @param {DocumentFacts} document */
export function totalsOf(one, document) {
  const settings = documentSettings.value;
  const { taxPercent = settings?.taxPercent, taxLabel = settings?.taxLabel, lineTaxes, depositPercent } =
    document;
  const label = typeof taxLabel === "string" ? taxLabel : undefined;
  const priced = { ...one, taxPercent, taxLabel: label, lineTaxes, depositPercent };
  return computeTotals(priced, currency.value);
}
