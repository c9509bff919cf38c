// Card of a customer: to call and write to, what is open, what was before, and the facts, edited where they stand.

import { actionButton } from "../../components/action-button.js";
import { emptyState } from "../../components/empty-state.js";
import { linkRow, linkRows } from "../../components/link-row.js";
import { component, div, h2, icon, p, section } from "../../components/tags.js";
import { callable, mailTo } from "../../domain/customers.js";
import { smsLink, telLink } from "../../domain/phones.js";
import { stageOf } from "../../domain/stages.js";
import { words } from "../../words/words.js";
import { customerWords } from "../../words/customers.js";
import { customerOf, deleteCustomer, openCustomer } from "../../state/customers.js";
import { detailsOf } from "../../state/order-details.js";
import { orders } from "../../state/orders.js";
import { pendingOf } from "../../state/outbox.js";
import { go } from "../../state/router.js";
import { offerDrop } from "../../state/undo.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { Alike } from "./alike.js";
import { ErasedSheet, EraseSheet } from "./erase-sheet.js";
import { Facts } from "./facts.js";
import { History } from "./history.js";
import { Owed } from "./owed.js";
import { beginEstimate, beginOrder } from "./begin.js";
import { MergeSheet } from "./merge-sheet.js";

/** @param {{ customerId: string }} props */
export function Card({ customerId }) {
  const [missing, setMissing] = useState(false);
  const [kept, setKept] = useState(/** @type {Api.KeptObject[] | null} */ (null));
  const customer = customerOf(customerId);
  useEffect(() => {
    openCustomer(customerId).then((found) => setMissing(!found), () => setMissing(true));
  }, [customerId]);
  const text = customerWords.value;
  if (kept) return component(ErasedSheet, { kept });
  if (!customer) {
    return missing
      ? emptyState({ text: text.gone, action: { label: text.back, onClick: () => go("/customers") } })
      : p({ class: "quiet-text late" }, words.value.common.loading);
  }
  return div(
    { class: "stack" },
    head(customer),
    begin(customer),
    component(Owed, { customerId: customer.id }),
    component(Alike, { customer }),
    openOrders(customer),
    component(History, { customerId: customer.id }),
    component(Facts, { customer }),
    component(Ends, { customer, onErased: setKept }),
  );
}

/** @param {Api.Customer} customer */
function head(customer) {
  const text = customerWords.value;
  const [phone] = customer.phones;
  const number = phone && callable(phone);
  const call = number && telLink(number);
  const where = customer.siteAddress ?? customer.address;
  return div(
    { class: "panel" },
    phone && p({ class: "figures" }, phone.number),
    customer.address && p({ class: "quiet-text lines" }, customer.address),
    pendingOf(customer.id).value &&
      p({ class: "row quiet-text" }, icon("clock"), words.value.common.connection.notSentYet),
    div(
      { class: "customer-reach" },
      call && actionButton({ label: text.call, icon: "phone", href: call }),
      call && actionButton({ label: text.message, icon: "message-circle", href: smsLink(number) }),
      customer.emails[0] &&
        actionButton({ label: text.write, icon: "mail", href: mailTo(customer.emails[0]) }),
      where && actionButton({ label: text.map, icon: "external-link", href: mapOf(where) }),
    ),
  );
}

/** New work for the customer. @param {Api.Customer} customer */
function begin(customer) {
  const text = customerWords.value;
  return div(
    { class: "customer-reach" },
    actionButton({ label: text.newOrder, icon: "plus", onClick: () => beginOrder(customer) }),
    actionButton({ label: text.newEstimate, icon: "receipt-text", onClick: () => beginEstimate(customer) }),
  );
}

/** @param {string} address */
function mapOf(address) {
  const query = encodeURIComponent(address.replace(/\s*\n\s*/g, ", "));
  return `https://www.openstreetmap.org/search?query=${query}`;
}

/** @param {Api.Customer} customer */
function openOrders({ id }) {
  const text = customerWords.value;
  const open = orders.value.filter((order) => {
    const details = detailsOf(order.id);
    return details.customerId === id && stageOf(order, details) !== "collected";
  });
  if (!open.length) return null;
  return section(
    { class: "stack" },
    h2({}, text.openOrders),
    linkRows(
      {},
      ...open.map((order) =>
        linkRow({
          href: `/orders/${order.id}`,
          title: order.title,
          detail: text.states[stageOf(order, detailsOf(order.id))],
          icon: "hammer",
        })
      ),
    ),
  );
}

/** @param {{ customer: Api.Customer, onErased: (kept: Api.KeptObject[]) => void }} props */
function Ends({ customer, onErased }) {
  const [open, setOpen] = useState(/** @type {"" | "merge" | "erase"} */ (""));
  const text = customerWords.value;
  const remove = () => {
    offerDrop(
      text.deleted(customer.name),
      deleteCustomer(customer.id),
      () => go(`/customers/${customer.id}`),
    );
    go("/customers", { replace: true });
  };
  return div(
    { class: "stack" },
    actionButton({ label: text.mergeOther, icon: "users", kind: "quiet", onClick: () => setOpen("merge") }),
    actionButton({ label: text.delete, icon: "trash-2", kind: "quiet", onClick: remove }),
    actionButton({ label: text.erase, icon: "delete", kind: "quiet", onClick: () => setOpen("erase") }),
    open === "merge" && component(MergeSheet, { customer, onClose: () => setOpen("") }),
    open === "erase" && component(EraseSheet, { customer, onErased, onClose: () => setOpen("") }),
  );
}
