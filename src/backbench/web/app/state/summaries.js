// Summaries: the list of estimates with state and total, with the changes of this device laid over it.

import { computed, effect, signal, untracked } from "../vendor/signals-core.js";
import { nextCursor } from "../api/client.js";
import { listEstimateSummaries } from "../api/estimates.js";
import { isProblem, isTemporary } from "../api/problems.js";
import { matches } from "../domain/search.js";
import { facts, totalsOf } from "./estimates.js";
import { on } from "./live.js";
import { replica } from "./outbox.js";
import { currency, workshopId } from "./workshops.js";

/** @typedef {import("../../../../../types/shapes.d.ts").Estimate} Estimate */
/** @typedef {import("../../../../../types/shapes.d.ts").EstimateSummary} EstimateSummary */
/** @typedef {{q?: string, state?: "draft" | "confirmed" | "changed"}} Filter */
/** @template T @typedef {import("../vendor/signals-core.js").Signal<T>} Signal */

const PAGE = 50;
// Of the server, for one request.
const MOST = 500;
const DEBOUNCE = 500;
const FILTERED = /^(estimate|handoff|pdf|decision|order\.created|workshop\.updated)/;

/** As the server gave them. @type {Signal<EstimateSummary[]>} */
const base = signal([]);
/** @type {Signal<Filter>} */
const filter = signal({});
/** Where the next page starts, or null. @type {Signal<string | null>} */
const cursor = signal(null);
/** Whether the list is known, so that an empty one means that there are none. */
export const hasSummaries = signal(false);
/** The id of the workshop that it was loaded for. A screen may load it before `startSummaries`. */
let loadedFor = "";
/** Whether there is a further page. */
export const hasMore = computed(() => cursor.value !== null);

/** The summaries, latest changed first. @type {import("../vendor/signals-core.js").ReadonlySignal<EstimateSummary[]>} */
export const summaries = computed(() => {
  const view = replica.views.estimate.value;
  const known = new Set(base.value.map(({ estimateId }) => estimateId));
  const overlaid = base.value.flatMap((summary) => laidOver(summary, view.get(summary.estimateId)));
  const made = [...view.values()]
    .filter((one) => one.workshopId === workshopId.value && !known.has(one.id) && isUnlisted(one))
    .map((one) => ofEstimate(one));
  const all = [...made, ...overlaid];
  return all.sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
});

/** Whether the estimate has a revision, as far as the list knows. @param {string} id */
export function wasConfirmed(id) {
  return base.value.some(({ estimateId, latestRevision }) => estimateId === id && latestRevision);
}

/** Estimates of this device that the server's list cannot have yet. @param {Estimate} one */
function isUnlisted(one) {
  const { q = "", state } = filter.value;
  const isOfDevice = replica.pending.value.has(one.id);
  return isOfDevice && (!state || state === "draft") && matches(q, one.name, one.recipientName ?? "");
}

/** @param {EstimateSummary} summary @param {Estimate | undefined} shown */
function laidOver(summary, shown) {
  const items = replica.pending.value.get(summary.estimateId);
  if (!items) return [summary];
  if (!shown) return items.some(({ op }) => op === "estimate.delete") ? [] : [summary];
  const state = summary.state === "confirmed" ? "changed" : summary.state;
  // Without its document facts nobody knows the tax of an estimate: the server's total stays.
  const total = facts(shown.id).value ? {} : { total: summary.total };
  return [{ ...summary, ...ofEstimate(shown), ...total, state }];
}

/** @param {Estimate} one @returns {EstimateSummary} */
function ofEstimate(one) {
  /** @type {EstimateSummary} */
  const summary = {
    estimateId: one.id,
    name: one.name,
    lines: one.lineItems.length,
    currency: currency.value,
    total: Number(totalsOf(one, facts(one.id).value ?? {}).total),
    updatedAt: one.updatedAt,
    state: "draft",
  };
  return one.recipientName ? { ...summary, recipientName: one.recipientName } : summary;
}

/** Loads the first page, or as many as are shown; without a connection the stored ones. @param {Filter} [wanted] @param {number} [shown] */
export async function loadSummaries(wanted = {}, shown = 0) {
  const id = workshopId.value;
  if (!id) return;
  loadedFor = id;
  filter.value = wanted;
  const isPlain = !wanted.q && !wanted.state;
  if (isPlain && !hasSummaries.value) show(await replica.fact(`summaries:${id}`), null);
  try {
    const limit = Math.min(Math.max(PAGE, shown), MOST);
    const answer = await listEstimateSummaries(id, { ...wanted, limit });
    if (id !== workshopId.value || wanted !== filter.value) return;
    show(answer.data.summaries, nextCursor(answer.headers));
    if (isPlain) await replica.commit({ facts: { [`summaries:${id}`]: answer.data.summaries } });
  } catch (error) {
    if (!isProblem(error) || !(isTemporary(error) || error.status === 401)) throw error;
  }
}

/** @param {EstimateSummary[] | undefined} found @param {string | null} next */
function show(found, next) {
  if (!found) return;
  base.value = found;
  cursor.value = next;
  hasSummaries.value = true;
}

/** Loads the next page. Needs a connection. Throws Problem. @param {number} [limit] */
export async function loadMore(limit = PAGE) {
  if (!cursor.value) return;
  const wanted = filter.value;
  const { data, headers } = await listEstimateSummaries(workshopId.value, {
    ...wanted,
    limit,
    cursor: cursor.value,
  });
  if (wanted !== filter.value) return;
  const known = new Set(base.value.map(({ estimateId }) => estimateId));
  base.value = [...base.value, ...data.summaries.filter(({ estimateId }) => !known.has(estimateId))];
  cursor.value = nextCursor(headers);
}

/** Starts what lasts as long as the page: the list follows what happens to estimates. */
let isStarted = false;

/** Follows the server, once. */
export function startSummaries() {
  if (isStarted) return;
  isStarted = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const reload = () => {
    clearTimeout(timer);
    timer = setTimeout(
      () => void (hasSummaries.value && loadSummaries(filter.value, base.value.length)),
      DEBOUNCE,
    );
  };
  on("event", ({ type }) => FILTERED.test(type) && reload());
  on("pulled", ({ isLoaded }) => isLoaded && reload());
  effect(() => {
    if (workshopId.value === loadedFor) return;
    untracked(() => {
      base.value = [];
      cursor.value = null;
      hasSummaries.value = false;
    });
  });
}
