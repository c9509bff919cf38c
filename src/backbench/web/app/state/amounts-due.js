// Amounts due on the board: the server's, with the prices and payments that wait to be sent.

import { isLocal } from "../domain/ids.js";
import { signal } from "../vendor/signals-core.js";
import { isPending, replica } from "./outbox.js";
import { open, softly } from "./records.js";
import { currency, workshopId } from "./workshops.js";

/** @typedef {{amount: number | string, currency: string}} Due */

/** Loaded when something waits. @type {import("../vendor/signals-core.js").Signal<typeof import("../domain/balance.js") | null>} */
const balance = signal(null);

/** Undefined without a price. @param {string} id of the order @param {Due} [due] as the server said it @returns {Due | undefined} */
export function dueOf(id, due) {
  if (!isPending(id)) return due;
  if (!balance.value) void import("../domain/balance.js").then((loaded) => balance.value = loaded, () => {});
  const of = replica.presentId(id);
  const { pending, views } = replica;
  return balance.value
    ? balance.value.dueWith(due, pending.get(of) ?? [], {
      balance: views.orderBalance.get(of),
      payments: views.orderPayments.get(of)?.payments,
      currency: currency.value,
    })
    : due;
}

/** As far as this device knows: of the board, else as the order was read last. @param {string} id of the order */
export function openAmount(id) {
  const { orderSummary, orderBalance } = replica.views;
  const of = replica.presentId(id);
  const summary = orderSummary.get(of);
  const { due, currency } = orderBalance.get(of) ?? {};
  return dueOf(id, summary || due === undefined ? summary?.due : { amount: due, currency });
}

/** As `openAmount`; of an order of which this device knows nothing yet the server is asked. @param {string} id */
export async function readAmount(id) {
  const of = replica.presentId(id);
  const isKnown = [replica.views.orderSummary, replica.views.orderBalance].some((kind) =>
    kind.peek().has(of)
  );
  if (!isKnown && !isLocal(of)) await softly(() => open("orderBalance", of, workshopId.peek()));
  return openAmount(id);
}
