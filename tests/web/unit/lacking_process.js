// What a draft of an invoice lacks in the app: for the comparison with the server's.

import { lacking } from "../../../src/backbench/web/app/domain/invoices.js";
import { answers } from "../answers.js";

await answers((/** @type {{ invoice: Api.Invoice, exemptReason?: string }} */ { invoice, exemptReason }) =>
  lacking(invoice, exemptReason)
);
