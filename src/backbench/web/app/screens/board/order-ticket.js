// A ticket of the board: what, for whom, until when, and the one next step.

import { address } from "../../api/early.js";
import { actionButton } from "../../components/action-button.js";
import { ticket } from "../../components/ticket.js";
import { words } from "../../words/words.js";
import { readAmount } from "../../state/amounts-due.js";
import { collecting, telling, whenThere } from "../../state/tickets.js";
import { collect, moveOrder, uncollect } from "../../state/orders.js";
import { isPending } from "../../state/outbox.js";
import { offerUndo } from "../../state/undo.js";
import { factsOf } from "./facts.js";

/** @typedef {Api.Order["status"]} OrderStatus */

/** @type {Record<OrderStatus, OrderStatus>} */
const NEXT = { todo: "in_progress", in_progress: "done", done: "in_progress" };

/** @param {{ shown: import("../../state/tickets.js").Shown, selected: boolean }} props */
export function OrderTicket({ shown, selected }) {
  const { order, isCollected } = shown;
  const text = words.value.board;
  const isReady = order.status === "done" && !isCollected;
  const label = isReady
    ? text.collect
    : { todo: text.start, in_progress: text.finish, done: text.reopen }[order.status];
  return ticket({
    href: `/orders/${order.id}`,
    title: order.title,
    detail: order.customerName,
    meta: factsOf(shown),
    status: isCollected ? "collected" : order.status,
    pending: isPending(order.id),
    selected,
    drag: order.id,
    cover: shown.facts?.coverPhotoId && address(`/photos/${shown.facts.coverPhotoId}/thumb`),
    action: actionButton({
      label,
      about: order.title,
      kind: isCollected ? "quiet" : "plain",
      onClick: () => whenThere(order, () => isReady ? void takeAway(order) : move(order, NEXT[order.status])),
    }),
  });
}

/** The customer has it: asks how it is paid where something is due. @param {Pick<Api.Order, "id" | "title">} order @param {import("../../state/amounts-due.js").Due} [shown] what the screen says */
export async function takeAway({ id, title }, shown) {
  const due = shown ?? await readAmount(id);
  if (due && Number(due.amount) > 0) collecting.value = { id, title, due };
  else handOver({ id, title });
}

/** Offers to take it back. @param {Pick<Api.Order, "id" | "title">} order */
export function handOver({ id, title }) {
  collect(id);
  offerUndo(words.value.board.collected(title), () => void uncollect(id));
}

/** Moves at once, and offers to take it back. @param {Pick<Api.Order, "id" | "title" | "status">} order @param {OrderStatus} status */
export function move(order, status) {
  const { status: before, id, title } = order;
  if (before === status) return;
  moveOrder(id, status);
  const { board, common } = words.value;
  const also = { label: board.tell, run: () => (telling.value = { id }) };
  const undo = () => void moveOrder(id, before);
  offerUndo(board.moved(title, common.orderStatus[status]), undo, status === "done" ? { also } : {});
}
