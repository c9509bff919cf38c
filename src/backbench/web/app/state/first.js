// First: what a start shows before what is stored was read, or the lists are there: the board as it was seen last, else the
// first cards as the server gives them.

import { ME } from "../domain/kinds.js";
import { painted } from "../local/painted.js";
import { FIRST, store, stored } from "../local/settings.js";
import { signal } from "../vendor/signals-core.js";
import { compare } from "./sync/collection.js";

/** What a card of the board shows of an order. @typedef {Pick<Api.Order, "id" | "title" | "customerName" | "status" | "lastActivityAt">} ShownOrder */
/** @typedef {{order: ShownOrder, facts: Partial<Api.OrderSummary> | undefined, isCollected: boolean, isEarly: true}} Card */
/**
 * `counts` are the orders of each status, null where only the server's first cards are known; `inbox` is what waits, in a line.
 * `objects`: the account and its workshop, as they were.
 * @typedef {{workshopId: string, cards: readonly Card[], counts: Record<Api.Order["status"], number> | null, inbox: string,
 *   objects: import("../local/memory.js").StoredObject[]}} First
 */

/** @type {import("../vendor/signals-core.js").Signal<First | null>} */
export const first = signal(null);

/** @type {() => void} */
let settlePainted;
/** Settles once the app was painted first: what takes long comes after it. @type {Promise<void>} */
export const firstPainted = new Promise((settle) => (settlePainted = settle));

/** Called once the app was rendered first. */
export const rendered = () => void painted().then(settlePainted);

/** As it was kept for an account. @param {string} account @returns {First | undefined} */
export function keptFirst(account) {
  const { of, row } = stored(FIRST, { of: "", row: undefined });
  return of === account ? row : undefined;
}

/** @param {string} account @param {First} row */
export const keepFirst = (account, row) => store(FIRST, { of: account, row });

/** So many the server gives. */
const PAGE = 20;

/** The cards of the server's first response. @param {Api.Boot} boot @returns {First} */
export function firstOf({ workshopId = "", profile, workshops, summaries = [] }) {
  // Those without a day are in another order in the lists: part of them would move.
  const isPart = summaries.length >= PAGE && summaries.some(({ dueOn }) => dueOn);
  const shown = isPart ? summaries.filter(({ dueOn }) => dueOn) : summaries;
  const cards = shown.map((facts) => {
    const { orderId: id, title, customerName, status, lastActivityAt, collectedAt } = facts;
    const order = { id, title, customerName, status, lastActivityAt };
    return /** @type {Card} */ ({ order, facts, isCollected: !!collectedAt, isEarly: true });
  }).sort((one, other) => compare(other.order.lastActivityAt, one.order.lastActivityAt));
  /** @type {First["objects"]} */
  const objects = [
    { kind: "profile", id: ME, workshopId: "", value: profile, etag: null },
    ...workshops.map((value) => {
      const { id } = value;
      return { kind: /** @type {const} */ ("workshop"), id, workshopId: id, value, etag: null };
    }),
  ];
  return { workshopId, cards, counts: null, inbox: "", objects };
}
