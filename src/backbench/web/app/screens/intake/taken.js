// Taken: the order is in; its number, and what the customer gets in the hand.

import { actionButton } from "../../components/action-button.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { div, p } from "../../components/tags.js";
import { address } from "../../api/client.js";
import { isLocal } from "../../domain/ids.js";
import { wordsLanguage } from "../../i18n/index.js";
import { orderWords } from "../../i18n/orders.js";
import { detailsOf, openDetails } from "../../state/order-details.js";
import { order as orderOf } from "../../state/orders.js";
import { go } from "../../state/router.js";
import { useEffect } from "../../vendor/hooks.js";

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
  const print = (/** @type {string} */ format) =>
    void open(address(`/orders/${id}/slip`, { format, locale: wordsLanguage.value }), "_blank", "noopener");
  const disabled = !isSent || !isOnline();
  return div(
    { class: "panel taken" },
    p({ class: "taken-number figures" }, number ? `№ ${number}` : "№ …"),
    p({ class: "taken-title" }, order?.title ?? ""),
    !isSent && p({ class: "quiet-text" }, text.noNumber),
    needsConnection(),
    actionButton({ label: text.slip, icon: "file-text", wide: true, disabled, onClick: () => print("a5") }),
    actionButton({
      label: text.code,
      icon: "external-link",
      wide: true,
      disabled,
      onClick: () => print("label-62x29"),
    }),
    actionButton({ label: text.open, kind: "quiet", wide: true, href: `/orders/${id}` }),
    actionButton({ label: text.done, kind: "main", wide: true, onClick: () => go("/", { replace: true }) }),
  );
}
