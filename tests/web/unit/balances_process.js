// The balance of an order in the app, and what its board shows as due, with changes that wait: for the comparison with
// the server's.

import { balanceOf, dueWith } from "../../../src/backbench/web/app/domain/balance.js";
import { applied } from "../../../src/backbench/web/app/state/sync/mutations.js";
import { answers } from "../answers.js";

/** @typedef {{ balance: Partial<Api.Balance>, payments: Api.Payment[], currency: string, waiting: any[] }} Order */

await answers((/** @type {Order} */ { balance, payments, currency, waiting }) => {
  /** @type {Record<string, any>} */
  const views = { orderBalance: balance, orderPayments: { payments } };
  for (const item of waiting) views[item.kind] = applied(views[item.kind], item);
  const known = { balance: views.orderBalance, payments: views.orderPayments.payments, currency };
  const due = balance.due === undefined ? undefined : { amount: balance.due, currency };
  return {
    money: balanceOf(known.balance, known.payments, currency),
    onBoard: dueWith(due, waiting, known) ?? null,
  };
});
