// Payments of an order and what is due, with what waits to be sent; how it is paid; the numbers of the workshop.

import { currency, inWorkshop, workshopId } from "./workshops.js";
import { call } from "../api/client.js";
import { balanceOf, textOf, units } from "../domain/balance.js";
import { openAmount } from "./amounts-due.js";
import { on } from "./live.js";
import { add, collect, ofOrder } from "./orders.js";
import { postpone, settle } from "./outbox.js";
import { change, open, record, softly } from "./records.js";
import { UNDO_TIME } from "./sync/values.js";
import { clock } from "./tickets.js";

// Of the server, for one request.
const MOST_OWED = 500;
const KINDS = /** @type {const} */ (["orderBalance", "orderPayments"]);

/** The newest first, those that wait included. @param {string} id of the order @returns {Api.Payment[]} */
export function paymentsOf(id) {
  return record("orderPayments", id).value?.payments ?? [];
}

/** What was agreed, paid and is due; until that was read, what the board says is due. @param {string} id of the order */
export function moneyOf(id) {
  const balance = record("orderBalance", id).value;
  const money = balanceOf(balance ?? {}, paymentsOf(id), currency.value);
  const shown = balance ? undefined : openAmount(id);
  return shown?.currency === money.currency
    ? { ...money, due: textOf(units(shown.amount), shown.currency) }
    : money;
}

let followed = "";

/** Brings it up to date, now and whenever it may have changed while it is shown. @param {string} id of the order */
export function followMoney(id) {
  if (!followed) {
    on("pulled", ({ isLoaded, ids }) => (isLoaded || ids.includes(followed)) && load());
    addEventListener("online", load);
  }
  followed = id;
  load();
}

function load() {
  const id = followed;
  void Promise.all(KINDS.map((kind) => softly(() => open(kind, id, ofOrder(id).workshopId))));
}

/** Recorded once, however often it is sent; after six seconds, until then `drop` takes it back. Returns its key. @param {string} id @param {Api.NewPayment} payment */
export function recordPayment(id, payment) {
  const receivedOn = payment.receivedOn ?? new Date().toISOString().slice(0, 10);
  return add("orderPayments.record", id, {
    payment,
    shown: { currency: moneyOf(id).currency, receivedOn },
  });
}

/** What is due was paid, and the order collected: sent together, in this order, when the time to take it back is over. Returns the key of the payment. @param {string} id of the order @param {number} amount @param {Api.NewPayment["method"]} method */
export function collectPaid(id, amount, method) {
  const key = recordPayment(id, { kind: "payment", amount, method, receivedOn: clock.peek().today });
  postpone(collect(id) ?? "", UNDO_TIME);
  return key;
}

/** @param {string} id of the order @param {string} paymentId @param {string} reason */
export function voidPayment(id, paymentId, reason) {
  return add("orderPayments.void", id, { paymentId, reason });
}

/** null: none. @param {string} id of the order @param {number | null} agreed */
export function agreePrice(id, agreed) {
  return change("orderBalance", "agree", id, { agreed }, ofOrder(id));
}

/** Needs a connection. Throws Problem: 404 without a price. @param {string} id of the order @returns {Promise<Api.PaymentRequest>} */
export async function paymentRequest(id) {
  return call("GET /orders/{orderId}/payment-request", { orderId: await settle(id) });
}

/** The numbers of the last twelve months. Throws Problem. @returns {Promise<Api.WorkshopNumbers>} */
export function loadNumbers() {
  return call("GET /workshops/{workshopId}/numbers", inWorkshop());
}

/** The orders that were collected and are not paid, the latest first, up to 500. Throws Problem. @returns {Promise<Api.OrderSummary[]>} */
export async function loadOwed() {
  const { summaries } = await call("GET /workshops/{workshopId}/order-summaries", {
    workshopId: workshopId.value,
    owed: "true",
    limit: MOST_OWED,
  });
  const at = (/** @type {Api.OrderSummary} */ { collectedAt = "" }) => collectedAt;
  return summaries.sort((one, other) => at(one) < at(other) ? 1 : -1);
}

/**
 * What was agreed and received in a period. Throws Problem.
 * @param {string} from @param {string} to @returns {Promise<{agreed: Api.AgreedEntry[], payments: Api.Payment[]}>}
 */
export async function loadMonth(from, to) {
  const given = { workshopId: workshopId.value, from, to };
  const [{ agreed }, { payments }] = await Promise.all([
    call("GET /workshops/{workshopId}/agreed", given),
    call("GET /workshops/{workshopId}/payments", given),
  ]);
  return { agreed, payments };
}
