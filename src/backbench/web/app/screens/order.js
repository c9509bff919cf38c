// Order: the ticket of one job, with its one next step in the foot. Beside the board where there is room.

import { frame } from "../components/frame.js";
import { component, isDesk } from "../components/tags.js";
import { orderWords } from "../words/orders.js";
import { detailsOf } from "../state/order-details.js";
import { order as orderOf } from "../state/orders.js";
import { screen as board } from "./board.js";
import { OrderDetail, Stage } from "./order/detail.js";
import { NextStep } from "./order/next-step.js";

/** @param {{ params: Readonly<Record<string, string>> }} props */
export function screen({ params }) {
  if (isDesk.value) return component(board, { params });
  const orderId = params.orderId ?? "";
  const isKnown = !!orderOf(orderId).value;
  const { number } = detailsOf(orderId);
  return frame(
    {
      title: number ? orderWords.value.number(number) : orderWords.value.order,
      actions: isKnown && component(Stage, { orderId }),
      place: "board",
      back: "/",
      foot: isKnown && component(NextStep, { orderId }),
    },
    component(OrderDetail, { orderId }),
  );
}
