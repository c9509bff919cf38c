// Column: the orders of one status, the newest activity first.

import { actionButton } from "../../components/action-button.js";
import { emptyState } from "../../components/empty-state.js";
import { useFirstRows } from "../../components/first-rows.js";
import { Later } from "../../components/later.js";
import { component, div, p } from "../../components/tags.js";
import { words } from "../../i18n/index.js";
import { hasOrders, orders } from "../../state/orders.js";
import { useState } from "../../vendor/hooks.js";
import { OrderTicket } from "./order-ticket.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").Order["status"]} OrderStatus */

/** @type {readonly OrderStatus[]} */
export const STATUSES = ["todo", "in_progress", "done"];

/** So many tickets at a time: of ten thousand nobody looks at all. */
const MOST = 300;

/** @param {{ status: OrderStatus, query: string, selected?: string }} props */
export function Column({ status, query, selected }) {
  const found = matching(status, query);
  const drawn = useFirstRows(found.length);
  const [most, setMost] = useState(MOST);
  const text = words.value.board;
  if (!hasOrders.value && found.length === 0) {
    return p({ class: "quiet-text late" }, words.value.common.loading);
  }
  if (found.length === 0) {
    return query
      ? p({ class: "quiet-text" }, text.nothingFound(query))
      : emptyState({ text: EMPTY[status]() });
  }
  return div(
    { class: "tickets" },
    ...found.slice(0, Math.min(drawn, most)).map((order) =>
      component(OrderTicket, { key: order.id, order, selected: order.id === selected })
    ),
    most < found.length &&
      actionButton({
        label: words.value.common.buttons.showMore,
        kind: "quiet",
        onClick: () => setMost(most + MOST),
      }),
    status === "done" && Math.min(drawn, most) >= found.length &&
      component(Later, { load: () => import("./older.js") }),
  );
}

const EMPTY = {
  todo: () => words.value.board.emptyToDo,
  in_progress: () => words.value.board.emptyInProgress,
  done: () => words.value.board.emptyDone,
};

/** Orders of the status whose title, customer or notes have the text. @param {OrderStatus} status @param {string} query */
export function matching(status, query) {
  const text = query.trim().toLowerCase();
  return orders.value.filter((order) =>
    order.status === status &&
    (text === "" || `${order.title}\n${order.customerName}\n${order.notes}`.toLowerCase().includes(text))
  );
}
