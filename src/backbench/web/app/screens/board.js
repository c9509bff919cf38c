// Board: the orders of the workshop by status, and what waits for the person.

import { frame } from "../components/frame.js";
import { Later } from "../components/later.js";
import { isDesk } from "../components/media.js";
import { component } from "../components/tags.js";
import { words } from "../i18n/index.js";
import { loadOrders } from "../state/orders.js";
import { useEffect } from "../vendor/hooks.js";
import { Tabs } from "./board/tabs.js";

/** @param {{ params: Readonly<Record<string, string>> }} props `orderId` is the order shown beside the board */
export function screen({ params }) {
  useEffect(() => void loadOrders(), []);
  const title = words.value.board.title;
  if (isDesk.value) {
    return frame(
      { title, place: "board", wide: true, bare: true },
      component(Later, { load: () => import("./board/desk.js"), props: { orderId: params.orderId ?? "" } }),
    );
  }
  return frame(
    { title, place: "board", bare: true },
    component(Later, { load: () => import("./board/inbox.js") }),
    component(Tabs, {}),
    component(Later, { load: () => import("./start/install-hint.js") }),
  );
}
