// Order: everything about one job, saved as it is typed. Beside the board where there is room.

import { frame } from "../components/frame.js";
import { isDesk } from "../components/media.js";
import { component } from "../components/tags.js";
import { words } from "../i18n/index.js";
import { screen as board } from "./board.js";
import { OrderDetail } from "./order/detail.js";

/** @param {{ params: Readonly<Record<string, string>> }} props */
export function screen({ params }) {
  if (isDesk.value) return component(board, { params });
  return frame(
    { title: words.value.orders.order, place: "board", back: "/" },
    component(OrderDetail, { orderId: params.orderId ?? "" }),
  );
}
