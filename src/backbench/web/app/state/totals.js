// Totals of an estimate, and what its prices are, with the changes of this device.

import { totals as computeTotals } from "../domain/money.js";
import { computed } from "../vendor/signals-core.js";
import { estimate, facts } from "./estimates.js";
import { replica } from "./outbox.js";
import { record } from "./records.js";
import { currency, documentSettings, tilePrices } from "./workshops.js";

/** @typedef {import("../domain/money.js").Totals} Totals */
/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

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

/** @param {Api.Estimate} one @param {Api.DocumentFacts} document */
export function totalsOf(one, document) {
  return computeTotals(pricedBy(one, document), currency.value);
}

/** What the amounts of an estimate are computed from; undefined while it is not known. @param {string} id */
export function priced(id) {
  const shownNow = estimate(id).value;
  return shownNow && pricedBy(shownNow, facts(id).value ?? {});
}

/** @param {Api.Estimate} one @param {Api.DocumentFacts} document @returns {import("../domain/money.js").Priced & Api.Estimate} */
function pricedBy(one, document) {
  const settings = documentSettings.value;
  const { taxPercent = settings?.taxPercent, taxLabel = settings?.taxLabel, lineTaxes } = document;
  const { depositPercent, depositAmount, pricesShown = settings?.pricesShown } = document;
  // A percentage of the estimate's own is a rate.
  const taxKind = document.taxKind ?? (document.taxPercent === undefined ? settings?.taxKind : "rate");
  const label = typeof taxLabel === "string" ? taxLabel : undefined;
  const pricesEntered = pricesOf(one.id);
  const given = {
    taxPercent,
    taxKind,
    taxLabel: label,
    lineTaxes,
    depositPercent,
    depositAmount,
    pricesEntered,
    pricesShown,
  };
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...one, ...known };
}

/**
 * What the unit prices of an estimate are: without tax or with it.
 * @param {string} id
 * @returns {"net" | "gross"}
 */
export function pricesOf(id) {
  const own = record("document", id).value?.pricesEntered;
  if (own || replica.bases.document.get(replica.presentId(id))) return own ?? "net";
  // Of one that is made on this device, until the server has it; then as in the workshop, until the document is known.
  return record("estimate", id).value?.pricesEntered ?? tilePrices.value;
}
