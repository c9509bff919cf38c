// Erase sheet: what goes, what must stay and why, and afterwards what did stay.

import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { a, div, li, p, span, ul } from "../../components/tags.js";
import { address } from "../../api/early.js";
import { isLocal } from "../../domain/ids.js";
import { customerWords } from "../../words/customers.js";
import { erase } from "../../state/customers.js";
import { go } from "../../state/router.js";

/** @param {{ customer: Api.Customer, onClose: () => void, onErased: (kept: Api.KeptObject[]) => void }} props */
export function EraseSheet({ customer, onClose, onErased }) {
  const { said, busy, run } = useCommand();
  const text = customerWords.value;
  return sheet(
    {
      title: text.eraseTitle,
      onClose,
      foot: actionButton({
        label: text.eraseNow,
        kind: "danger",
        isFinal: true,
        wide: true,
        busy,
        disabled: !isOnline(),
        onClick: () => void run(async () => onErased(await erase(customer.id))),
      }),
      problem: said && notice({ kind: "warning", text: said }),
    },
    consequences(customer),
  );
}

/** @param {Api.Customer} customer */
function consequences(customer) {
  const text = customerWords.value;
  return div(
    { class: "stack" },
    p({}, text.eraseText(customer.name)),
    p({}, text.eraseStays),
    !isLocal(customer.id) && actionButton({
      label: text.data,
      icon: "download",
      href: address(`/customers/${customer.id}/data`),
      download: "customer.json",
    }),
    needsConnection(),
  );
}

/** @param {{ kept: Api.KeptObject[] }} props */
export function ErasedSheet({ kept }) {
  const text = customerWords.value;
  const leave = () => go("/customers", { replace: true });
  return sheet(
    {
      title: text.erasedTitle,
      onClose: leave,
      foot: actionButton({ label: text.back, kind: "main", wide: true, onClick: leave }),
    },
    kept.length === 0 ? p({}, text.nothingKept) : div(
      { class: "stack" },
      p({}, text.kept),
      ul({ class: "customer-kept" }, ...kept.map(keptRow)),
    ),
  );
}

/** @param {Api.KeptObject} one */
function keptRow({ kind, id, reason }) {
  const text = customerWords.value;
  const place = { order: `/orders/${id}`, estimate: `/estimates/${id}`, customer: `/customers/${id}` }[
    /** @type {"order"} */ (kind)
  ];
  return li(
    { key: `${kind} ${id}` },
    span({}, `${text.keptKinds[kind]}: ${text.reasons[reason]}`),
    place && a({ href: place }, text.openKept),
  );
}
