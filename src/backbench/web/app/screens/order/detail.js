// Detail of an order: its ticket, the estimate, questions, facts edited where they stand, notes, and its history.

import { actionButton } from "../../components/action-button.js";
import { conflictChoice } from "../../components/conflict-choice.js";
import { emptyState } from "../../components/empty-state.js";
import { later } from "../../components/later.js";
import { linkRow } from "../../components/link-row.js";
import { isDesk } from "../../components/media.js";
import { component, div, p, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { isProblem } from "../../api/problems.js";
import { customerWords } from "../../words/customers.js";
import { words } from "../../words/words.js";
import { orderWords } from "../../words/orders.js";
import { customerOf } from "../../state/customers.js";
import { createEstimate } from "../../state/estimates.js";
import { detailsOf, editDetails, openDetails } from "../../state/order-details.js";
import { deleteOrder, editOrder, openOrder, order as orderOf } from "../../state/orders.js";
import { settle } from "../../state/outbox.js";
import { go } from "../../state/router.js";
import { offerDrop } from "../../state/undo.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { Papers } from "../papers/papers.js";
import { move } from "../board/order-ticket.js";
import { Money } from "../payments/money.js";
import { EstimatePart } from "./estimate-part.js";
import { Facts } from "./facts.js";
import { Head } from "./head.js";
import { History } from "./history.js";
import { NextStep } from "./next-step.js";
import { Talk } from "./talk.js";

const Photos = later(() => import("../photos/strip.js"));

/** @param {{ orderId: string }} props */
export function OrderDetail({ orderId }) {
  const [missing, setMissing] = useState(false);
  const order = orderOf(orderId).value;
  useEffect(() => {
    openOrder(orderId).then((found) => setMissing(!found), () => setMissing(true));
    void openDetails(orderId);
  }, [orderId, order?.id]);
  const text = orderWords.value;
  if (!order) {
    return missing
      ? emptyState({ text: text.gone, action: { label: text.backToBoard, onClick: () => go("/") } })
      : p({ class: "quiet-text late" }, words.value.common.loading);
  }
  return div(
    { class: "stack" },
    component(Head, { order }),
    isDesk.value && component(NextStep, { orderId }),
    component(Photos, { orderId: order.id }),
    section({ class: "panel" }, component(Papers, { orderId: order.id })),
    component(EstimatePart, { order }),
    component(Money, { order }),
    component(Talk, { orderId: order.id }),
    what(order),
    component(Facts, { order }),
    component(History, { order }),
    actions(order),
  );
}

/** @param {Api.Order} order */
function what(order) {
  const text = orderWords.value;
  return div(
    { class: "panel" },
    line(order, "title", {
      maxLength: 250,
      problem: order.title.trim() === "" ? text.titleMissing : undefined,
    }),
    line(order, "customerName", { maxLength: 250, label: text.customer }),
    component(OfCustomer, { orderId: order.id }),
    line(order, "notes", { maxLength: 5000, multiline: true, help: text.notesHelp }),
  );
}

/** The way to the card of the customer. @param {{ orderId: string }} props */
function OfCustomer({ orderId }) {
  const customer = customerOf(detailsOf(orderId).customerId);
  return customer && linkRow({
    href: `/customers/${customer.id}`,
    title: customerWords.value.openCard,
    detail: customer.name,
    icon: "user",
  });
}

/** @param {Api.Order} order @param {"title" | "customerName" | "notes"} field @param {object} more */
function line(order, field, more) {
  const save = (/** @type {string} */ value) => {
    // An order without a title is refused: the last one stays until there is another.
    if (field !== "title" || value.trim() !== "") editOrder(order.id, { [field]: value });
  };
  return div(
    { class: "stack" },
    textField({
      label: orderWords.value[field === "customerName" ? "customer" : field],
      value: order[field],
      onCommit: save,
      ...more,
    }),
    conflictChoice({ objectId: order.id, field }),
  );
}

/** @param {Api.Order} order */
function actions(order) {
  const text = orderWords.value;
  const remove = () => {
    offerDrop(text.deleted(order.title), deleteOrder(order.id), () => go(`/orders/${order.id}`));
    go("/", { replace: true });
  };
  return div(
    { class: "stack" },
    order.status === "done" && actionButton({
      label: words.value.board.reopen,
      icon: "undo-2",
      onClick: () => move(order, "in_progress"),
    }),
    !detailsOf(order.id).estimateId && actionButton({
      label: text.makeEstimate,
      icon: "receipt-text",
      onClick: () => makeEstimate(order),
    }),
    actionButton({ label: text.delete, icon: "trash-2", kind: "quiet", onClick: remove }),
  );
}

/** @param {Api.Order} order */
function makeEstimate(order) {
  const id = createEstimate({
    name: order.title,
    ...(order.customerName ? { recipientName: order.customerName } : {}),
  });
  go(`/estimates/${id}`);
  settle(id).then((estimateId) => void editDetails(order.id, { estimateId }), (error) => {
    // Only an estimate that the server has can be linked: without a connection it stays on its own.
    if (!isProblem(error)) throw error;
  });
}
