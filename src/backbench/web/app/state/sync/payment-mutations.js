// Mutations of the money of an order: payments that are recorded and voided, and the price agreed without an estimate.

import { UNDO_TIME, withFields } from "./parts.js";

/** @typedef {import("./mutations.js").Mutation} Mutation */

/** @type {Record<string, Mutation>} */
export const paymentMutations = {
  "orderPayments.record": {
    way: "append",
    apply: ({ payments }, { payment, shown }, { key, madeAt, objectId }) => ({
      payments: [{
        id: key,
        orderId: objectId,
        createdAt: new Date(madeAt).toISOString(),
        createdByUid: "",
        ...shown,
        ...payment,
      }, ...payments],
    }),
    request: ({ objectId, args }) => ({
      method: "POST",
      path: `/orders/${objectId}/payments`,
      body: args.payment,
    }),
    part: () => "payments",
    taken: (payment, object) => ({ payments: [payment, ...object?.payments ?? []] }),
    delay: UNDO_TIME,
  },
  "orderPayments.void": {
    way: "append",
    apply: ({ payments }, { paymentId, reason }, { madeAt }) => ({
      payments: replaced(
        payments,
        paymentId,
        (payment) => ({ ...payment, voidedAt: new Date(madeAt).toISOString(), reason }),
      ),
    }),
    request: ({ args: { paymentId, reason } }) => ({
      method: "POST",
      path: `/payments/${paymentId}/void`,
      body: { reason },
    }),
    part: () => "payments",
    taken: (payment, object) => ({ payments: replaced(object?.payments ?? [], payment.id, () => payment) }),
  },
  "orderBalance.agree": {
    way: "fields",
    apply: (balance, { fields }) =>
      withFields(balance, { ...fields, source: fields.agreed === null ? "none" : "entered" }),
    request: ({ objectId }) => ({ method: "PUT", path: `/orders/${objectId}/agreed` }),
    body: ({ agreed }) => ({ amount: agreed ?? null }),
    part: () => "agreed",
    target: (balance) => balance,
  },
};

/** @param {{id: string}[]} payments @param {string} id @param {(payment: any) => any} change */
function replaced(payments, id, change) {
  return payments.map((payment) => payment.id === id ? change(payment) : payment);
}
