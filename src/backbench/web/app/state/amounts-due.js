// Amounts due on the board: the server's, less what waits to be sent.

import { signal } from "../vendor/signals-core.js";
import { replica } from "./outbox.js";

/** Loaded when a payment waits. @type {import("../vendor/signals-core.js").Signal<typeof import("../domain/balance.js") | null>} */
const balance = signal(null);

/** @param {string} id of the order @param {{amount: number, currency: string}} due */
export function shownDue(id, due) {
  const waiting = (replica.pending.value.get(id) ?? [])
    .filter(({ op, problem }) => op === "orderPayments.record" && !problem)
    .map(({ args }) => ({ ...args.payment, currency: args.shown.currency }));
  if (!waiting.length) return due.amount;
  if (!balance.value) void import("../domain/balance.js").then((loaded) => balance.value = loaded, () => {});
  return balance.value ? balance.value.dueAfter(due, waiting) : due.amount;
}
