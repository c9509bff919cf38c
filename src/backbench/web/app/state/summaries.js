// Summaries: the list of estimates with state and total, with the changes of this device laid over it.

import { request } from "../api/client.js";
import { computed, signal } from "../vendor/signals-core.js";
import { pageOf, rowsFrom } from "../api/lists.js";
import { isProblem, isTemporary } from "../api/problems.js";
import { matches } from "../domain/search.js";
import { facts } from "./estimates.js";
import { totalsOf } from "./totals.js";
import { on } from "./live.js";
import { replica } from "./outbox.js";
import { currency, workshopId } from "./workshops.js";

/** @typedef {{q?: string, state?: "draft" | "confirmed" | "changed"}} Filter */
/** @template T @typedef {import("../vendor/signals-core.js").Signal<T>} Signal */

const PAGE = 50;
const DEBOUNCE = 500;
const FILTERED = /^(estimate|handoff|pdf|decision|order\.created|workshop\.updated)/;

/** Which list of the server, its rows as the server gave them, and where its next page starts, or null. @typedef {{workshopId: string, filter: Filter, rows: readonly Api.EstimateSummary[], next: string | null}} Listed */
/** @type {Signal<Listed>} */
const list = signal({ workshopId: "", filter: {}, rows: [], next: null });
/** @type {Signal<Filter>} */
const filter = signal({});
/** Whether the list is known, so that an empty one means that there are none. */
export const hasSummaries = computed(() =>
  list.value.workshopId !== "" && list.value.workshopId === workshopId.value
);
/** @type {import("../vendor/signals-core.js").ReadonlySignal<readonly Api.EstimateSummary[]>} */
const base = computed(() => hasSummaries.value ? list.value.rows : []);
/** Whether the list is the one that is wanted, and not still that of another filter. */
const isWanted = computed(() => hasSummaries.value && isSame(list.value.filter, filter.value));
/** Whether there is a further page. */
export const hasMore = computed(() => isWanted.value && list.value.next !== null);

/** @param {Filter} one @param {Filter} other */
const isSame = (one, other) => (one.q ?? "") === (other.q ?? "") && one.state === other.state;

/** The summaries, latest changed first. @type {import("../vendor/signals-core.js").ReadonlySignal<Api.EstimateSummary[]>} */
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

/** Estimates of this device that the server's list cannot have yet. @param {Api.Estimate} one */
function isUnlisted(one) {
  const { q = "", state } = filter.value;
  const isOfDevice = replica.pending.value.has(one.id);
  return isOfDevice && (!state || state === "draft") && matches(q, one.name, one.recipientName ?? "");
}

/** @param {Api.EstimateSummary} summary @param {Api.Estimate | undefined} shown */
function laidOver(summary, shown) {
  const items = replica.pending.value.get(summary.estimateId);
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

let loads = 0;
let latest = 0;

/** Loads the first page, or as many rows as are shown of this list; without a connection the stored ones. @param {Filter} [wanted] */
export async function loadSummaries(wanted = {}) {
  const id = workshopId.value;
  if (!id) return;
  const turn = loads += 1;
  filter.value = wanted;
  const isPlain = !wanted.q && !wanted.state;
  /** @param {import("../api/lists.js").Rows<Api.EstimateSummary>} found */
  const show = (found) => {
    // What a later load has brought is newer.
    if (turn < latest || id !== workshopId.value || !isSame(wanted, filter.value)) return false;
    latest = turn;
    list.value = { workshopId: id, filter: wanted, ...found };
    return true;
  };
  if (isPlain && !hasSummaries.value) {
    const rows = await replica.fact(`summaries:${id}`);
    if (rows && !hasSummaries.value) show({ rows, next: null });
  }
  try {
    const shown = () => isWanted.value ? Math.max(PAGE, list.value.rows.length) : PAGE;
    const found = await rowsFrom(pagesOf(id, wanted), shown);
    if (show(found) && isPlain) await replica.commit({ facts: { [`summaries:${id}`]: found.rows } });
  } catch (error) {
    if (!isProblem(error) || !(isTemporary(error) || error.status === 401)) throw error;
  }
}

/** @param {string} id @param {Filter} wanted */
const pagesOf = (id, wanted) =>
(
  /** @type {import("../api/lists.js").PageQuery} */ query,
) => /** @type {Promise<import("../api/lists.js").Rows<Api.EstimateSummary>>} */ (
  pageOf(
    request("GET /workshops/{workshopId}/estimate-summaries", { workshopId: id, ...wanted, ...query }),
    "summaries",
  )
);

/** Loads the next page. Needs a connection. Throws Problem. @param {number} [limit] */
export async function loadMore(limit = PAGE) {
  const { workshopId: id, filter: of } = list.value;
  const isPresent = () => hasMore.value && list.value.workshopId === id && isSame(of, list.value.filter);
  while (isPresent()) {
    const cursor = list.value.next ?? "";
    const { rows, next } = await pagesOf(id, of)({ limit, cursor });
    // Loaded anew meanwhile, and what follows it is another page.
    if (!isPresent() || list.value.next !== cursor) continue;
    const known = new Set(list.value.rows.map(({ estimateId }) => estimateId));
    const added = rows.filter(({ estimateId }) => !known.has(estimateId));
    list.value = { ...list.value, rows: [...list.value.rows, ...added], next };
    return;
  }
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
    timer = setTimeout(() => void (hasSummaries.value && loadSummaries(filter.value)), DEBOUNCE);
  };
  on("event", ({ type }) => FILTERED.test(type) && reload());
  on("pulled", ({ isLoaded }) => isLoaded && reload());
}
