// Customer: the card of one customer.

import { address } from "../api/early.js";
import { actionButton } from "../components/action-button.js";
import { isOnline, needsConnection, useCommand } from "../components/command.js";
import { missing, useOpened } from "../components/answer.js";
import { notice } from "../components/notice.js";
import { frame } from "../components/frame.js";
import { linkRow, linkRows } from "../components/link-row.js";
import { sheet } from "../components/sheet.js";
import { a, component, div, h2, icon, li, p, section, span, ul } from "../components/tags.js";
import { textField } from "../components/text-field.js";
import { callable, mailTo } from "../domain/customers.js";
import { isLocal } from "../domain/ids.js";
import { estimateName } from "../domain/work-name.js";
import { smsLink, telLink } from "../domain/phones.js";
import { stageOf } from "../domain/stages.js";
import {
  alike,
  customerOf,
  customersLike,
  deleteCustomer,
  erase,
  findCustomers,
  merge,
  merges,
  openCustomer,
  unmerge,
} from "../state/customers.js";
import { createEstimate, editFacts } from "../state/estimates.js";
import { set } from "../state/intake.js";
import { detailsOf } from "../state/order-details.js";
import { orders } from "../state/orders.js";
import { isPending } from "../state/outbox.js";
import { go } from "../state/router.js";
import { summaries } from "../state/summaries.js";
import { offerDrop, offerUndo } from "../state/undo.js";
import { documentSettings } from "../state/workshops.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { customerWords } from "../words/customers.js";
import { orderWords } from "../words/orders.js";
import { words, wordsLanguage } from "../words/words.js";
import { Facts } from "./customers/facts.js";
import { History, Owed } from "./customers/history.js";

/** @param {{ params: import("../routes.js").Params }} props */
export function screen({ params: { customerId = "" } }) {
  const name = customerOf(customerId)?.name ?? customerWords.value.customer;
  return frame(
    { title: name, place: "customers", back: "/customers" },
    component(Card, { customerId, key: customerId }),
  );
}

// Card of a customer: to call and write to, what is open, what was before, and the facts, edited where they stand.

/** @param {{ customerId: string }} props */
function Card({ customerId }) {
  const [kept, setKept] = useState(/** @type {Api.KeptObject[] | null} */ (null));
  const customer = customerOf(customerId);
  const opened = useOpened(() => openCustomer(customerId), customer, customerId);
  const text = customerWords.value;
  if (kept) return component(ErasedSheet, { kept });
  if (!customer) {
    return missing(opened, {
      text: text.gone,
      action: { label: text.back, onClick: () => go("/customers") },
    });
  }
  return div(
    { class: "stack" },
    head(customer),
    begin(customer),
    component(Owed, { customerId: customer.id }),
    component(Merged, { customer }),
    component(Alike, { customer }),
    openOrders(customer),
    component(Facts, { customer }),
    component(History, { customerId: customer.id }),
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
    isPending(customer.id) &&
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
    actionButton({
      label: words.value.board.newEstimate,
      icon: "receipt-text",
      onClick: () => beginEstimate(customer),
    }),
  );
}

/** @param {string} address */
function mapOf(address) {
  const query = encodeURIComponent(address.replace(/\s*\n\s*/g, ", "));
  return `https://www.openstreetmap.org/search?query=${query}`;
}

/** @param {string} id */
const openOrdersOf = (id) =>
  orders.value.filter((order) => {
    const details = detailsOf(order.id);
    return details.customerId === id && stageOf(order, details) !== "collected";
  });

/** @param {Api.Customer} customer */
function openOrders({ id }) {
  const text = customerWords.value;
  const open = openOrdersOf(id);
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
          detail: orderWords.value.stages[stageOf(order, detailsOf(order.id))],
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

/** What was typed of another thing stays; whom it is for is this customer. @param {Api.Customer} customer */
function beginOrder({ id, name, phones: [phone] }) {
  set({ customerId: id, name, phone: phone?.number ?? "", isKept: null });
  go("/orders/new");
}

/** Its document has the customer's address and contact until it is confirmed. @param {Api.Customer} customer */
function beginEstimate({ id: customerId, name }) {
  const taken = summaries.peek().map((each) => each.name);
  const { documentTitle } = documentSettings.peek() ?? {};
  const id = createEstimate({
    name: estimateName(Date.now(), wordsLanguage.peek(), taken, documentTitle),
    recipientName: name,
  });
  editFacts(id, { customerId });
  go(`/estimates/${id}`);
}

const OFFERED = 6;

/** @param {{ customer: Api.Customer, onClose: () => void }} props */
function MergeSheet({ customer, onClose }) {
  const [query, setQuery] = useState("");
  const { said, doing, run } = useCommand();
  useEffect(() => void findCustomers(query), [query]);
  const text = customerWords.value;
  const found = customersLike(query).filter(({ id }) => id !== customer.id).slice(0, OFFERED);
  const mergeIt = async (/** @type {Api.Customer} */ other) => {
    if (await run(() => mergeWithUndo(customer, other), other.id)) onClose();
  };
  return sheet(
    { title: text.mergeTitle, onClose },
    div(
      { class: "stack" },
      p({}, text.mergeHelp),
      textField({
        label: text.search,
        type: "search",
        value: query,
        autofocus: true,
        autocomplete: "off",
        onInput: setQuery,
      }),
      ...found.map((other) => offer(other, doing, () => void mergeIt(other))),
      needsConnection(),
      said && notice({ kind: "warning", text: said }),
    ),
  );
}

/** @param {Api.Customer} other @param {string} doing @param {() => void} onClick */
function offer({ id, name, phones }, doing, onClick) {
  return actionButton({
    label: [name, phones[0]?.number].filter(Boolean).join(" · "),
    icon: "users",
    wide: true,
    disabled: !isOnline(),
    busy: doing === id,
    onClick,
  });
}

// Long enough to see on the card whether it was right; afterwards it is separated there.
const UNDO = 20_000;

/** @param {{ customer: Api.Customer }} props */
function Alike({ customer }) {
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

// The server keeps what was merged for so long.
const KEPT = 30 * 24 * 60 * 60 * 1000;

/** What was merged here, and the way to separate it. @param {{ customer: Api.Customer }} props */
function Merged({ customer: { id } }) {
  const known = merges.value[id];
  const { said, busy, run } = useCommand();
  if (!known || Date.now() - known.at > KEPT) return null;
  const { fromId, name } = known;
  const label = words.value.common.buttons.undo;
  const separate = () => void run(() => unmerge(id, fromId));
  return div(
    { class: "panel customer-alike" },
    span({}, customerWords.value.merged(name)),
    actionButton({ label, icon: "undo-2", busy, disabled: !isOnline(), onClick: separate }),
    said && p({ class: "field-problem", role: "alert" }, said),
  );
}

/** @param {Api.Customer} customer @param {Api.Customer} other */
async function mergeWithUndo(customer, other) {
  await merge(customer.id, other.id);
  offerUndo(customerWords.peek().merged(other.name), () => unmerge(customer.id, other.id), {
    duration: UNDO,
  });
}

// Erase sheet: what goes, what must stay and why, and afterwards what did stay.

/** @param {{ customer: Api.Customer, onClose: () => void, onErased: (kept: Api.KeptObject[]) => void }} props */
function EraseSheet({ customer, onClose, onErased }) {
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
  const { length: open } = openOrdersOf(customer.id);
  return div(
    { class: "stack" },
    open > 0 && notice({ kind: "warning", text: text.eraseOpen(open) }),
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
function ErasedSheet({ kept }) {
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
  const place = {
    invoice: `/invoices/${id}`,
    order: `/orders/${id}`,
    estimate: `/estimates/${id}`,
    customer: `/customers/${id}`,
  }[/** @type {"order"} */ (kind)];
  return li(
    { key: `${kind} ${id}` },
    span({}, `${text.keptKinds[kind]}: ${text.reasons[reason]}`),
    place && a({ href: place }, text.openKept),
  );
}
