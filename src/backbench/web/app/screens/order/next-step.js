// Next step: the one that the work on an order takes now. Each is taken back with one tap.

import { actionButton } from "../../components/action-button.js";
import { component, div } from "../../components/tags.js";
import { NEXT_STEP, stageOf } from "../../domain/stages.js";
import { orderWords } from "../../words/orders.js";
import { detailsOf, editDetails } from "../../state/order-details.js";
import { moveOrder, order as orderOf, uncollect } from "../../state/orders.js";
import { moneyOf } from "../../state/payments.js";
import { offerUndo } from "../../state/undo.js";
import { useState } from "../../vendor/hooks.js";
import { move, takeAway } from "../board/order-ticket.js";
import { MessageSheet } from "./message-sheet.js";

/** @param {{ orderId: string }} props */
export function NextStep({ orderId }) {
  const [isTelling, setTelling] = useState(false);
  const order = orderOf(orderId).value;
  if (!order) return null;
  const text = orderWords.value;
  const step = NEXT_STEP[stageOf(order, detailsOf(order.id))];
  const take = () => {
    if (!step) return;
    STEPS[step](order);
    if (step === "ready") setTelling(true);
  };
  return div(
    {},
    step
      ? actionButton({ label: text.steps[step], kind: "main", wide: true, onClick: take })
      : actionButton({ label: text.notCollected, wide: true, onClick: () => uncollect(order.id) }),
    isTelling && component(MessageSheet, {
      order,
      onUndo: () => moveOrder(order.id, "in_progress"),
      onClose: () => setTelling(false),
    }),
  );
}

/** @type {Record<import("../../domain/stages.js").Step, (order: Api.Order) => void>} */
const STEPS = {
  start: (order) => move(order, "in_progress"),
  goOn: (order) => {
    const { waitingFor, waitingUntil } = detailsOf(order.id);
    editDetails(order.id, { waitingFor: null, waitingUntil: null });
    moveOrder(order.id, "in_progress");
    const text = orderWords.value;
    offerUndo(`${order.title}: ${text.stages.in_progress}`, () => {
      editDetails(order.id, { waitingFor: waitingFor ?? null, waitingUntil: waitingUntil ?? null });
      moveOrder(order.id, order.status);
    });
  },
  ready: (order) => move(order, "done"),
  collect: (order) => void takeAway(order, dueOnPage(order.id)),
};

/** As the page shows it; undefined where it shows no price. @param {string} id */
function dueOnPage(id) {
  const { due, currency } = moneyOf(id);
  return due === undefined ? undefined : { amount: due, currency };
}
