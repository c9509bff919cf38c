// The totals of an estimate in the app: for the comparison with the server's.

import { minorDigits, shownPrices, totals } from "../../../src/backbench/web/app/domain/money.js";
import { answers } from "../answers.js";

/** @typedef {import("../../../src/backbench/web/app/domain/money.js").Priced} Priced */

await answers((/** @type {{ estimate: Priced, currency: string }} */ { estimate, currency }) => ({
  ...totals(estimate, currency),
  digits: minorDigits(currency),
  shownPrices: shownPrices(estimate, currency),
}));
