// Reminder of a payment, on the board: the message to the customer of a collected order, which names what is due.

import { component } from "../../components/tags.js";
import { order as orderOf } from "../../state/orders.js";
import { MessageSheet } from "../order/message-sheet.js";

/** @param {{ item: import("../../state/inbox.js").Item, onClose: () => void }} props `item` is of an order */
export function part({ item: { orderId = "" }, onClose }) {
  const order = orderOf(orderId).value;
  return order ? component(MessageSheet, { order, onClose }) : null;
}
