// Alike: other records that may be of the same person, to be merged with one tap, and separated again.

import { actionButton } from "../../components/action-button.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { useCommand } from "../../components/command.js";
import { a, div, h2, p, section } from "../../components/tags.js";
import { customerWords } from "../../words/customers.js";
import { alike, merge, unmerge } from "../../state/customers.js";
import { offerUndo } from "../../state/undo.js";

// Long enough to see on the card whether it was right; afterwards the record can still be separated for 30 days.
const UNDO = 20_000;

/** @param {{ customer: Api.Customer }} props */
export function Alike({ customer }) {
  const { said, doing, run } = useCommand();
  const found = alike(customer);
  if (!found.length) return null;
  const text = customerWords.value;
  return section(
    { class: "panel" },
    h2({}, text.alike),
    p({ class: "quiet-text" }, text.mergeHelp),
    ...found.map((other) =>
      div(
        { class: "customer-alike", key: other.id },
        a({ href: `/customers/${other.id}` }, other.name),
        actionButton({
          label: text.merge(other.name),
          icon: "users",
          disabled: !isOnline(),
          busy: doing === other.id,
          onClick: () => void run(() => mergeWithUndo(customer, other), other.id),
        }),
      )
    ),
    needsConnection(),
    said && notice({ kind: "warning", text: said }),
  );
}

/** @param {Api.Customer} customer @param {Api.Customer} other */
export async function mergeWithUndo(customer, other) {
  await merge(customer.id, other.id);
  offerUndo(customerWords.peek().merged(other.name), () => unmerge(customer.id, other.id), {
    duration: UNDO,
  });
}
