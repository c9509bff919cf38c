// The balance of an order in the app: for the comparison with the server's.

import { balanceOf } from "../../../src/backbench/web/app/domain/balance.js";
import { answers } from "../answers.js";

/** @typedef {{ balance: Partial<Api.Balance>, payments: Api.Payment[], currency: string }} Known */

await answers((/** @type {Known} */ { balance, payments, currency }) =>
  balanceOf(balance, payments, currency)
);
