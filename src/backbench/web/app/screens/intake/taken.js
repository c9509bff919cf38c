// Taken: the order is in; its number, and what the customer gets in the hand.

import { actionButton } from "../../components/action-button.js";
import { needsConnection } from "../../components/needs-connection.js";
import { component, div, p } from "../../components/tags.js";
import { isLocal } from "../../domain/ids.js";
import { orderWords } from "../../words/orders.js";
import { detailsOf, openDetails } from "../../state/order-details.js";
import { order as orderOf } from "../../state/orders.js";
import { go } from "../../state/router.js";
import { useEffect } from "../../vendor/hooks.js";
import { Papers } from "../papers/papers.js";

/** @param {{ orderId: string }} props */
export function Taken({ orderId }) {
  const order = orderOf(orderId).value;
  const id = order?.id ?? orderId;
  const isSent = !isLocal(id);
  useEffect(() => {
    if (isSent) void openDetails(id);
  }, [id]);
  const text = orderWords.value.intake;
  const { number } = detailsOf(id);
  return div(
    { class: "panel taken" },
    p({ class: "taken-number figures" }, orderWords.value.number(number ?? "…")),
    p({ class: "taken-title" }, order?.title ?? ""),
    !isSent && p({ class: "quiet-text" }, text.noNumber),
    needsConnection(),
    component(Papers, { orderId: id }),
    actionButton({ label: text.open, kind: "quiet", wide: true, href: `/orders/${id}` }),
    actionButton({ label: text.done, kind: "main", wide: true, onClick: () => go("/", { replace: true }) }),
  );
}
