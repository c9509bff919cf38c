// Next step: the one that the work on an order takes now. Each is taken back with one tap.

import { actionButton } from "../../components/action-button.js";
import { NEXT_STEP, stageOf } from "../../domain/stages.js";
import { orderWords } from "../../words/orders.js";
import { detailsOf, editDetails } from "../../state/order-details.js";
import { moveOrder, order as orderOf, uncollect } from "../../state/orders.js";
import { moneyOf } from "../../state/payments.js";
import { telling } from "../../state/tickets.js";
import { offerUndo } from "../../state/undo.js";
import { move, takeAway } from "../board/order-ticket.js";

/** @param {{ orderId: string }} props */
export function NextStep({ orderId }) {
  const order = orderOf(orderId).value;
  if (!order) return null;
  const text = orderWords.value;
  const step = NEXT_STEP[stageOf(order, detailsOf(order.id))];
  return step
    ? actionButton({ label: text.steps[step], kind: "main", wide: true, onClick: () => STEPS[step](order) })
    : actionButton({ label: text.notCollected, wide: true, onClick: () => uncollect(order.id) });
}

/** On the page of an order: who makes it ready is asked at once whether the customer is told. @param {Api.Order} order @param {Api.Order["status"]} status */
export function moveHere(order, status) {
  move(order, status);
  if (status === "done") telling.value = { id: order.id, isUndone: true };
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
  ready: (order) => moveHere(order, "done"),
  collect: (order) => void takeAway(order, dueOnPage(order.id)),
};

/** As the page shows it; undefined where it shows no price. @param {string} id */
function dueOnPage(id) {
  const { due, currency } = moneyOf(id);
  return due === undefined ? undefined : { amount: due, currency };
}
