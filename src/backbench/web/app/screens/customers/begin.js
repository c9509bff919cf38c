// Begin: an order or an estimate for a customer, whose name and phone it takes over.

import { estimateName } from "../../domain/names.js";
import { wordsLanguage } from "../../words/words.js";
import { createEstimate, editFacts } from "../../state/estimates.js";
import { go } from "../../state/router.js";
import { summaries } from "../../state/summaries.js";
import { documentSettings } from "../../state/workshops.js";
import { set } from "../../state/intake.js";

/** What was typed of another thing stays; whom it is for is this customer. @param {Api.Customer} customer */
export function beginOrder({ id, name, phones: [phone] }) {
  set({ customerId: id, name, phone: phone?.number ?? "", isKept: null });
  go("/orders/new");
}

/** Its document has the customer's address and contact until it is confirmed. @param {Api.Customer} customer */
export function beginEstimate({ id: customerId, name }) {
  const taken = summaries.peek().map((each) => each.name);
  const { documentTitle } = documentSettings.peek() ?? {};
  const id = createEstimate({
    name: estimateName(Date.now(), wordsLanguage.peek(), taken, documentTitle),
    recipientName: name,
  });
  editFacts(id, { customerId });
  go(`/estimates/${id}`);
}
