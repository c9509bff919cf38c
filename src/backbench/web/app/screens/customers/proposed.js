// Proposed: people of earlier estimates and orders who have no record yet. Nobody is added without a tap.

import { button, div, h2, p, section } from "../../components/tags.js";
import { customerWords } from "../../words/customers.js";
import { createCustomer, customers } from "../../state/customers.js";
import { editFacts } from "../../state/estimates.js";
import { detailsOf, editDetails } from "../../state/order-details.js";
import { orders } from "../../state/orders.js";
import { useAnnounced } from "../../components/announcer.js";
import { summaries } from "../../state/summaries.js";
import { useState } from "../../vendor/hooks.js";
import { useRecipients } from "../recipients.js";

const SHOWN = 8;

export function Proposed() {
  const known = useRecipients();
  const [said, setSaid] = useState("");
  useAnnounced(said);
  const names = new Set(customers.value.map(({ name }) => name.toLowerCase()));
  const proposed = known.filter(({ name, customerId }) => !customerId && !names.has(name.toLowerCase()));
  if (!proposed.length) return null;
  const text = customerWords.value;
  const take = (/** @type {Api.Recipient} */ one) => (keep(one), setSaid(text.keptNow(one.name)));
  return section(
    { class: "stack" },
    h2({}, text.proposed),
    p({ class: "quiet-text" }, text.proposedHelp),
    div(
      { class: "chips" },
      ...proposed.slice(0, SHOWN).map((one) =>
        button(
          {
            key: one.name,
            class: "chip",
            type: "button",
            "aria-label": text.keep(one.name),
            onClick: () => take(one),
          },
          `+ ${one.name}`,
        )
      ),
    ),
  );
}

/** The customer, named by the orders and estimates for the same name that this browser has. @param {Api.Recipient} recipient */
function keep({ name, address, taxId, email, phone }) {
  const customerId = createCustomer({
    name,
    ...(phone ? { phones: [{ number: phone.slice(0, 40) }] } : {}),
    ...(email?.includes("@") ? { emails: [email] } : {}),
    ...(address ? { address } : {}),
    ...(taxId ? { taxId } : {}),
  });
  const isSame = (/** @type {string | undefined} */ other) => other?.toLowerCase() === name.toLowerCase();
  for (const order of orders.peek()) {
    if (isSame(order.customerName) && !detailsOf(order.id).customerId) editDetails(order.id, { customerId });
  }
  for (const { estimateId, recipientName } of summaries.peek()) {
    if (isSame(recipientName)) editFacts(estimateId, { customerId });
  }
}
