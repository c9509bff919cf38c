// Desk: the board in columns, with an order beside it. Tickets can be dragged with a mouse.

import { later } from "../../components/later.js";
import { aside, b, component, div, h2, section } from "../../components/tags.js";
import { words } from "../../words/words.js";
import { orders } from "../../state/orders.js";
import { countOf } from "../../state/tickets.js";
import { useSignal } from "../../vendor/signals.js";
import { OrderDetail } from "../order/detail.js";
import { Column, newOrder, STATUSES } from "./column.js";
import { move } from "./order-ticket.js";
import { InboxList } from "../inbox.js";

/** @typedef {Api.Order["status"]} OrderStatus */

const Scan = later(() => import("./scan.js"));
const Search = later(() => import("./search.js"));

/** @param {{ orderId: string }} props */
export function part({ orderId }) {
  const query = useSignal("");
  return div(
    { class: "desk" },
    div(
      { class: "desk-head" },
      newOrder(),
      component(Scan, {}),
      div(
        { class: "stack" },
        component(Search, {
          open: true,
          autofocus: false,
          value: query.value,
          onInput: (value) => (query.value = value),
        }),
      ),
    ),
    div({ class: "desk-columns" }, ...STATUSES.map((status) => column(status, query.value, orderId))),
    aside(
      { class: "desk-side" },
      orderId ? component(OrderDetail, { key: orderId, orderId }) : component(InboxList, {}),
    ),
  );
}

/** @param {OrderStatus} status @param {string} query @param {string} selected */
function column(status, query, selected) {
  return section(
    {
      key: status,
      class: `desk-column status-${status}`,
      "aria-label": words.value.common.orderStatus[status],
      onDragOver: (event) => event.preventDefault(),
      onDrop: (event) => dropped(event, status),
    },
    h2(
      {},
      words.value.common.orderStatus[status],
      " ",
      b({ class: "figures" }, String(countOf(status, query))),
    ),
    component(Column, { status, query, selected }),
  );
}

/** @param {DragEvent} event @param {OrderStatus} status */
function dropped(event, status) {
  event.preventDefault();
  const order = orders.value.find(({ id }) => id === event.dataTransfer?.getData("text/plain"));
  if (order) move(order, status);
}
