// Amounts due on the board: the server's, with the prices and payments that wait to be sent.

import { isLocal } from "../domain/ids.js";
import { signal } from "../vendor/signals-core.js";
import { pendingOf, replica } from "./outbox.js";
import { open, softly } from "./records.js";
import { currency, workshopId } from "./workshops.js";

/** @typedef {{amount: number | string, currency: string}} Due */

/** Loaded when something waits. @type {import("../vendor/signals-core.js").Signal<typeof import("../domain/balance.js") | null>} */
const balance = signal(null);

/** Undefined without a price. @param {string} id of the order @param {Due} [due] as the server said it @returns {Due | undefined} */
export function dueOf(id, due) {
  if (!pendingOf(id).value) return due;
  if (!balance.value) void import("../domain/balance.js").then((loaded) => balance.value = loaded, () => {});
  const of = replica.presentId(id);
  const { pending, views } = replica;
  return balance.value
    ? balance.value.dueWith(due, pending.value.get(of) ?? [], {
      balance: views.orderBalance.value.get(of),
      payments: views.orderPayments.value.get(of)?.payments,
      currency: currency.value,
    })
    : due;
}

/** As far as this device knows: of the board, else as the order was read last. @param {string} id of the order */
export function openAmount(id) {
  const { orderSummary, orderBalance } = replica.views;
  const of = replica.presentId(id);
  const summary = orderSummary.value.get(of);
  const { due, currency } = orderBalance.value.get(of) ?? {};
  return dueOf(id, summary || due === undefined ? summary?.due : { amount: due, currency });
}

/** As `openAmount`; of an order of which this device knows nothing yet the server is asked. @param {string} id */
export async function readAmount(id) {
  const of = replica.presentId(id);
  const isKnown = [replica.views.orderSummary, replica.views.orderBalance].some(({ value }) => value.has(of));
  if (!isKnown && !isLocal(of)) await softly(() => open("orderBalance", of, workshopId.peek()));
  return openAmount(id);
}
