// Board: the orders of the workshop by status, and what waits for the person.

import { emptyState } from "../components/empty-state.js";
import { frame } from "../components/frame.js";
import { isDesk } from "../components/media.js";
import { tabs } from "../components/tabs.js";
import { component, div, section } from "../components/tags.js";
import { words } from "../i18n/index.js";
import { loadOrders, orders } from "../state/orders.js";
import { useEffect } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { Column } from "./board/column.js";
import { NewOrder } from "./board/new-order.js";
import { Waiting } from "./board/waiting.js";

/** @typedef {import("../../../../../types/shapes.d.ts").OrderStatus} OrderStatus */

/** @type {readonly OrderStatus[]} */
export const STATUSES = ["todo", "in_progress", "done"];

/** The tab that was looked at last: coming back from an order leads to it. */
const shown = signal(/** @type {OrderStatus} */ ("todo"));

/** @param {{ params: Readonly<Record<string, string>> }} props */
export function screen({ params }) {
  useEffect(() => void loadOrders(), []);
  return frame(
    { title: words.value.board.title, place: "board" },
    component(Waiting, {}),
    isDesk.value ? component(Columns, { selected: params.orderId }) : component(Tabs, {}),
  );
}
