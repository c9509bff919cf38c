// Prices: whether unit prices are with tax, and prices of the one kind as those of the other.

import { minorDigits } from "../domain/currencies.js";
import { shownPrices as computeShown, taxesOf } from "../domain/money.js";
import { converted } from "../domain/prices.js";
import { rateOf, taxOf } from "../domain/taxes.js";
import { computed } from "../vendor/signals-core.js";
import { facts, loadFacts } from "./estimates.js";
import { priced, pricesOf } from "./totals.js";
import { grids } from "./grids.js";
import { enqueue, replica } from "./outbox.js";
import { act, shown } from "./records.js";
import { loadSummaries, summaries } from "./summaries.js";
import { updateSettings } from "./edits.js";
import { currency, documentSettings, tilePrices, workshopId } from "./workshops.js";

/** @typedef {import("../domain/money.js").Prices} Prices */
/** What becomes of the prices that are there: the numbers stay, and mean the other kind; or they are converted. @typedef {"keep" | "convert"} Numbers */
/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

/** Whether the workshop charges a tax: without one, prices are of one kind. */
export const isTaxed = computed(() => generalRate(documentSettings.value) !== null);

/** @param {Pick<import("../domain/money.js").Priced, "taxKind" | "taxPercent"> | null} of */
function generalRate(of) {
  const tax = taxOf(of?.taxKind, of?.taxPercent);
  return typeof tax === "bigint" ? tax : null;
}

/** Whether there is a tax on the estimate. @param {string} id */
export function isTaxedEstimate(id) {
  const known = priced(id);
  return known ? taxesOf(known).some((tax) => typeof tax === "bigint") : isTaxed.value;
}

/** @type {Map<string, ReadonlySignal<string[]>>} */
const shownById = new Map();

/** The unit prices of the lines, as they are shown. @param {string} id @returns {ReadonlySignal<string[]>} */
export function shownPrices(id) {
  const known = shownById.get(id);
  if (known) return known;
  const made = computed(() => {
    const content = priced(id);
    return content ? computeShown(content, currency.value) : [];
  });
  shownById.set(id, made);
  return made;
}

/** The rate of a line of the estimate, or of a new one. @param {string} id @param {string} [lineId] */
function rateOn(id, lineId = "") {
  const own = facts(id).value?.lineTaxes?.[lineId];
  if (own !== undefined) return rateOf(taxOf(typeof own === "string" ? own : "rate", Number(own)));
  const known = priced(id);
  return (known ? generalRate(known) : generalRate(documentSettings.value)) ?? 0n;
}

/** The price of a tile, or of something used before, as the estimate's lines have prices. @param {string} id @param {number} price @param {Prices} [from] */
export function onEstimate(id, price, from = tilePrices.value) {
  return between(price, from, pricesOf(id), rateOn(id));
}

/** The price of a line used before as tiles have prices. @param {number} price @param {Prices} [from] */
export function onTile(price, from = "net") {
  return between(price, from, tilePrices.value, generalRate(documentSettings.value) ?? 0n);
}

/** The price of a line as tiles have prices. @param {string} id @param {string} lineId @param {number} price */
export function forTile(id, lineId, price) {
  return between(price, pricesOf(id), tilePrices.value, rateOn(id, lineId));
}

/** @param {number} price @param {Prices} from @param {Prices} to @param {bigint} rate */
function between(price, from, to, rate) {
  return converted(price, { from, to, rate, digits: minorDigits(currency.value) });
}

/** Says what the workshop's prices are. New estimates are so; those that there are stay as they are. @param {Prices} to @param {Numbers} numbers on the tiles */
export function setTilePrices(to, numbers) {
  const from = tilePrices.peek();
  if (numbers === "convert") convertTiles(from, to);
  // Entered with tax they are always shown with it.
  updateSettings({ pricesEntered: to, ...(to === "gross" ? { pricesShown: null } : {}) });
}

/** Says what the workshop's prices are, and those of the estimate at which it was asked. @param {Prices} to @param {string} id */
export function answerPrices(to, id) {
  setTilePrices(to, "keep");
  if (pricesOf(id) !== to) say(id, to);
}

/**
 * The first answer is meant of all estimates that were begun before it. One that has a tax of its own was begun with an
 * answer. Needs a connection.
 * @param {Prices} to
 */
export async function answerForDrafts(to) {
  if (!await loadSummaries()) return;
  for (const { estimateId, state } of summaries.peek()) {
    if (state !== "draft" || !await loadFacts(estimateId)) continue;
    const { taxPercent, taxKind, lineTaxes } = facts(estimateId).peek() ?? {};
    const isOwn = taxPercent !== undefined || taxKind !== undefined || lineTaxes !== undefined;
    if (!isOwn && pricesOf(estimateId) !== to) say(estimateId, to);
  }
}

/** A price of a tile, as an example of what would become of it. @param {Prices} to */
export function exampleTile(to) {
  const rate = generalRate(documentSettings.value) ?? 0n;
  const all = grids.value.flatMap(({ buttons }) => buttons);
  return exampleOf(all, (price) => between(price, tilePrices.value, to, rate));
}

/** A price of a line, as an example of what would become of it. @param {string} id @param {Prices} to */
export function exampleLine(id, to) {
  const lines = shown("estimate", id)?.lineItems ?? [];
  return exampleOf(lines, (price, lineId) => between(price, pricesOf(id), to, rateOn(id, lineId)));
}

/** @param {readonly { id: string, label: string, unitPrice: number }[]} parts @param {(price: number, id: string) => number} convert */
function exampleOf(parts, convert) {
  const all = parts.map(({ id, label, unitPrice }) => ({
    label,
    unitPrice,
    converted: convert(unitPrice, id),
  }));
  return all.find(({ unitPrice, converted }) => unitPrice !== converted);
}

/** @param {Prices} from @param {Prices} to */
function convertTiles(from, to) {
  const rate = generalRate(documentSettings.peek()) ?? 0n;
  for (const { id, buttons } of grids.peek()) {
    const prices = changes(buttons, (price) => between(price, from, to, rate));
    if (Object.keys(prices).length) act("grid", "reprice", id, { prices });
  }
}

/** Says what the prices of an estimate are. @param {string} id @param {Prices} to @param {Numbers} numbers of its lines */
export function setEstimatePrices(id, to, numbers) {
  const from = pricesOf(id);
  if (numbers === "convert") {
    const prices = changes(
      shown("estimate", id)?.lineItems ?? [],
      (price, lineId) => between(price, from, to, rateOn(id, lineId)),
    );
    if (Object.keys(prices).length) act("estimate", "reprice", id, { prices });
  }
  say(id, to);
}

/** @param {string} id @param {Prices} pricesEntered */
function say(id, pricesEntered) {
  const workshop = shown("estimate", id)?.workshopId ?? workshopId.peek();
  const fields = { pricesEntered, ...(pricesEntered === "gross" ? { pricesShown: null } : {}) };
  enqueue("document.edit", replica.presentId(id), workshop, { fields });
}

/**
 * The prices that change, by the ids of what has them: from what to what.
 * @param {readonly { id: string, unitPrice: number }[]} parts
 * @param {(price: number, id: string) => number} convert
 */
function changes(parts, convert) {
  const all = parts.map((
    { id, unitPrice },
  ) => /** @type {const} */ ([id, [unitPrice, convert(unitPrice, id)]]));
  return Object.fromEntries(all.filter(([, [from, to]]) => from !== to));
}
