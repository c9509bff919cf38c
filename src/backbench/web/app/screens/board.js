// Board: the orders of the workshop by status, and what waits for the person.

import { frame } from "../components/frame.js";
import { later } from "../components/later.js";
import { isDesk } from "../components/media.js";
import { component } from "../components/tags.js";
import { words } from "../words/words.js";
import { loadOrders } from "../state/orders.js";
import { useEffect } from "../vendor/hooks.js";
import { Tabs } from "./board/tabs.js";

const Desk = later(() => import("./board/desk.js"));
const Inbox = later(() => import("./board/inbox.js"));
const InstallHint = later(() => import("./start/install-hint.js"));

/** @param {{ params: Readonly<Record<string, string>> }} props `orderId` is the order shown beside the board */
export function screen({ params }) {
  useEffect(() => void loadOrders(), []);
  const title = words.value.board.title;
  if (isDesk.value) {
    return frame(
      { title, place: "board", wide: true, bare: true },
      component(Desk, { orderId: params.orderId ?? "" }),
    );
  }
  return frame(
    { title, place: "board", bare: true },
    component(Inbox, {}),
    component(Tabs, {}),
    component(InstallHint, {}),
  );
}
