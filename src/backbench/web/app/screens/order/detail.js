// Detail of an order: what, for whom, status, notes, and its history as a line of stamps.

import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/choice.js";
import { conflictChoice } from "../../components/conflict-choice.js";
import { emptyState } from "../../components/empty-state.js";
import { div, h2, li, ol, p, section, span } from "../../components/tags.js";
import { stamp } from "../../components/stamp.js";
import { textField } from "../../components/text-field.js";
import { dateTime } from "../../domain/format.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { createEstimate } from "../../state/estimates.js";
import { deleteOrder, editOrder, openOrder, order as orderOf } from "../../state/orders.js";
import { drop } from "../../state/outbox.js";
import { go } from "../../state/router.js";
import { offerUndo } from "../../state/undo.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { STATUSES } from "../board/column.js";
import { move } from "../board/order-ticket.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").Order} Order */

/** @param {{ orderId: string }} props */
export function OrderDetail({ orderId }) {
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    openOrder(orderId).then((found) => setMissing(!found), () => setMissing(true));
  }, [orderId]);
  const order = orderOf(orderId).value;
  const text = words.value.orders;
  if (!order) {
    return missing
      ? emptyState({ text: text.gone, action: { label: text.backToBoard, onClick: () => go("/") } })
      : p({ class: "quiet-text late" }, words.value.common.loading);
  }
  return div({ class: "stack" }, facts(order), history(order), actions(order));
}

/** @param {Order} order */
function facts(order) {
  const text = words.value.orders;
  return div(
    { class: `panel status-${order.status}` },
    line(order, "title", {
      maxLength: 250,
      problem: order.title.trim() === "" ? text.titleMissing : undefined,
    }),
    line(order, "customerName", { maxLength: 250, label: text.customer }),
    choice({
      label: text.status,
      value: order.status,
      options: STATUSES.map((value) => ({ value, label: words.value.common.orderStatus[value] })),
      onChange: (status) => move(order, status),
    }),
    line(order, "notes", { maxLength: 5000, multiline: true, help: text.notesHelp }),
  );
}

/** @param {Order} order @param {"title" | "customerName" | "notes"} field @param {object} more */
function line(order, field, more) {
  const save = (/** @type {string} */ value) => {
    // An order without a title is refused: the last one stays until there is another.
    if (field !== "title" || value.trim() !== "") editOrder(order.id, { [field]: value });
  };
  return div(
    { class: "stack" },
    textField({
      label: words.value.orders[field === "customerName" ? "customer" : field],
      value: order[field],
      onCommit: save,
      ...more,
    }),
    conflictChoice({ objectId: order.id, field }),
  );
}

/** @param {Order} order */
function history(order) {
  const language = wordsLanguage.value;
  return section(
    { class: "panel" },
    h2({}, words.value.orders.history),
    ol(
      { class: "stack" },
      ...order.statusHistory.map((entry, at) =>
        li(
          { key: at, class: "row" },
          stamp({ status: entry.status, word: words.value.common.orderStatus[entry.status] }),
          span({ class: "quiet-text figures" }, dateTime(entry.at, language)),
        )
      ),
    ),
  );
}

/** @param {Order} order */
function actions(order) {
  const text = words.value.orders;
  const estimate = () => {
    const id = createEstimate({
      name: order.title,
      ...(order.customerName ? { recipientName: order.customerName } : {}),
    });
    go(`/estimates/${id}`);
  };
  const remove = () => {
    const key = deleteOrder(order.id);
    offerUndo(text.deleted(order.title), () => {
      drop(key);
      go(`/orders/${order.id}`);
    });
    go("/", { replace: true });
  };
  return div(
    { class: "stack" },
    actionButton({ label: text.makeEstimate, icon: "receipt-text", onClick: estimate }),
    actionButton({ label: text.delete, icon: "trash-2", kind: "quiet", onClick: remove }),
  );
}
