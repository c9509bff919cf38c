// Order: the ticket of one job, with its one next step in the foot. Beside the board where there is room.

import { frame } from "../components/frame.js";
import { component, isDesk } from "../components/tags.js";
import { orderWords } from "../words/orders.js";
import { order as orderOf } from "../state/orders.js";
import { screen as board } from "./board.js";
import { OrderDetail } from "./order/detail.js";
import { NextStep } from "./order/next-step.js";

/** @param {{ params: Readonly<Record<string, string>> }} props */
export function screen({ params }) {
  if (isDesk.value) return component(board, { params });
  const orderId = params.orderId ?? "";
  const isKnown = !!orderOf(orderId).value;
  return frame(
    {
      title: orderWords.value.order,
      place: "board",
      back: "/",
      foot: isKnown && component(NextStep, { orderId }),
    },
    component(OrderDetail, { orderId }),
  );
}
