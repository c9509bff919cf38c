// Summaries: the list of estimates with state and total, with the changes of this device laid over it. What is known is
// followed by `changes`; pages are loaded of the list that is wanted.

import { request } from "../api/client.js";
import { pageOf } from "../api/lists.js";
import { matches } from "../domain/search.js";
import { computed, signal } from "../vendor/signals-core.js";
import { facts } from "./estimates.js";
import { on } from "./live.js";
import { replica } from "./outbox.js";
import { softly } from "./records.js";
import { compare, sorted } from "./sync/collection.js";
import { received } from "./sync/pull.js";
import { totalsOf } from "./totals.js";
import { currency, workshopId } from "./workshops.js";

/** @typedef {{q?: string, state?: "draft" | "confirmed" | "changed"}} Filter */
/** @typedef {Api.EstimateSummary & {workshopId: string}} Summary */
/** How far a list was loaded: to the time of this row, after which the cursor goes on. @typedef {{until: string, next: string} | "all"} Loaded */

const PAGE = 50;
/** So many the server gives at once. */
export const MOST = 500;

/** How many rows of a list were loaded, by workshop and filter. @type {Map<string, number>} */
const counts = new Map();
/** By workshop and filter. @type {import("../vendor/signals-core.js").Signal<Readonly<Record<string, Loaded>>>} */
const lists = signal({});
/** @type {import("../vendor/signals-core.js").Signal<Filter>} */
const filter = signal({});

/** @param {Filter} wanted @param {string} [id] of the workshop */
const nameOf = ({ q = "", state }, id = workshopId.value) => `${id} ${state ?? ""} ${q}`;

const loaded = computed(() => lists.value[nameOf(filter.value)]);
/** Whether the list is known, so that an empty one means that there are none. */
export const hasSummaries = computed(() => loaded.value !== undefined);
/** Whether there is a further page. */
export const hasMore = computed(() => hasSummaries.value && loaded.value !== "all");

/** @param {{updatedAt: string, estimateId: string}} one @param {{updatedAt: string, estimateId: string}} other */
const latest = (one, other) =>
  compare(other.updatedAt, one.updatedAt) || compare(other.estimateId, one.estimateId);

/** Those that are known, latest changed first. */
const known = sorted({
  sources: [replica.views.estimateSummary],
  make: (id) => {
    const found = /** @type {Summary | undefined} */ (replica.views.estimateSummary.peek().get(id));
    return found?.workshopId === workshopId.peek() ? found : undefined;
  },
  order: latest,
  scope: () => workshopId.value,
});

/** The summaries as far as the list was loaded, latest changed first. @type {import("../vendor/signals-core.js").ReadonlySignal<Api.EstimateSummary[]>} */
export const summaries = computed(() => {
  const { until = "" } = typeof loaded.value === "object" ? loaded.value : {};
  const rows = known.value.filter(({ updatedAt }) => updatedAt >= until);
  if (!replica.pending.value.size) return rows;
  const view = replica.views.estimate.value;
  const all = rows.flatMap((summary) => laidOver(summary, view.get(summary.estimateId)));
  const made = [...view.values()].filter(isUnlisted).map((one) => ofEstimate(one));
  return [...made, ...all].sort(latest);
});

/** Whether the estimate has a revision, as far as the list knows. @param {string} id */
export function wasConfirmed(id) {
  return !!replica.views.estimateSummary.get(id)?.latestRevision;
}

/** Estimates of this device that the server's list cannot have yet. @param {Api.Estimate} one */
function isUnlisted(one) {
  if (one.workshopId !== workshopId.value || replica.views.estimateSummary.peek().has(one.id)) return false;
  const { q = "", state } = filter.value;
  const isOfDevice = replica.pending.get(one.id) !== undefined;
  return isOfDevice && (!state || state === "draft") && matches(q, one.name, one.recipientName ?? "");
}

/** @param {Api.EstimateSummary} summary @param {Api.Estimate | undefined} shown */
function laidOver(summary, shown) {
  const items = replica.pending.get(summary.estimateId);
  if (!items) return [summary];
  if (!shown) return items.some(({ op }) => op === "estimate.delete") ? [] : [summary];
  const state = summary.state === "confirmed" ? "changed" : summary.state;
  // Without its document facts nobody knows the tax of an estimate: the server's total stays.
  const total = facts(shown.id).value ? {} : { total: summary.total };
  return [{ ...summary, ...ofEstimate(shown), ...total, state }];
}

/** @param {Api.Estimate} one @returns {Api.EstimateSummary} */
function ofEstimate(one) {
  /** @type {Api.EstimateSummary} */
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

/** The same as `readSummaries`; without a connection what is known is shown. @param {Filter} [wanted] */
export const loadSummaries = (wanted) => softly(() => readSummaries(wanted));

/** Wants a list, and reads its first page where that was not done yet. Throws Problem. @param {Filter} [wanted] */
export async function readSummaries(wanted = {}) {
  const id = workshopId.value;
  if (!id) return;
  filter.value = wanted;
  const name = nameOf(wanted, id);
  if (name === nameOf({}, id) && !lists.value[name]) keep(id, wanted, await replica.fact(`estimates:${id}`));
  if (!lists.value[name]) await loadPage(id, wanted, "", PAGE);
}

/** Loads the next page. Needs a connection. Throws Problem. @param {number} [limit] */
export async function loadMore(limit = PAGE) {
  if (typeof loaded.value === "object") {
    await loadPage(workshopId.value, filter.value, loaded.value.next, limit);
  }
}

/** @param {string} id of the workshop @param {Filter} wanted @param {string} cursor @param {number} limit */
async function loadPage(id, wanted, cursor, limit) {
  const sequence = replica.sequence();
  const { rows, next } = await pageOf(
    request("GET /workshops/{workshopId}/estimate-summaries", { workshopId: id, ...wanted, limit, cursor }),
    "summaries",
  );
  // What has changed since the page was asked for is newer here.
  const fresh = rows.filter(({ estimateId }) =>
    !replica.touchedSince("estimateSummary", estimateId, sequence)
  );
  const list = next ? { until: rows.at(-1)?.updatedAt ?? "", next } : "all";
  const name = nameOf(wanted, id);
  counts.set(name, rows.length + (cursor ? counts.get(name) ?? PAGE : 0));
  await replica.commit({
    objects: fresh.map((one) => received(replica, "estimateSummary", one, id, one.estimateId)),
    facts: name === nameOf({}, id) ? { [`estimates:${id}`]: list } : {},
  });
  keep(id, wanted, list);
}

/** @param {string} id @param {Filter} wanted @param {Loaded | undefined} list */
function keep(id, wanted, list) {
  if (list) lists.value = { ...lists.peek(), [nameOf(wanted, id)]: list };
}

// Loaded anew, the workshop's lists are none of those that were known. Of the one that is shown, further pages that
// somebody has asked for come with the first, and as many as are new at most.
on("pulled", ({ workshopId: id, isLoaded }) => {
  if (!isLoaded || !Object.keys(lists.peek()).length) return;
  lists.value = {};
  const count = counts.get(nameOf(filter.peek(), id)) ?? 0;
  counts.clear();
  if (id !== workshopId.peek() || count <= PAGE) return void loadSummaries(filter.peek());
  void softly(() => loadPage(id, filter.peek(), "", Math.min(count + PAGE, MOST)));
});
