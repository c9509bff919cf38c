// Board: the orders of the workshop by status, and what waits for the person.

import { actionButton } from "../components/action-button.js";
import { frame } from "../components/frame.js";
import { later } from "../components/later.js";
import { a, b, button, component, div, h2, isDesk, section, span } from "../components/tags.js";
import { catchUp } from "../state/live.js";
import { orders } from "../state/orders.js";
import { route } from "../state/router.js";
import { countOf, inboxLine, unread } from "../state/tickets.js";
import { useEffect, useLayoutEffect } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { words } from "../words/words.js";
import { Column, newOrder, STATUSES } from "./board/column.js";

const Desk = later(() => import("./board/desk.js"));
const InboxText = later(() => import("./inbox.js"));
const InstallHint = later(() => import("./start/install-hint.js"));

/** @param {{ params: Readonly<Record<string, string>> }} props `orderId` is the order shown beside the board */
export function screen({ params }) {
  useEffect(catchUp, []);
  useLayoutEffect(() => {
    // A link to a part of it; else what was looked at last.
    const { show } = route.peek().query;
    if (show) isByDay.value = show === "open";
    if (show === "done") shown.value = show;
  }, []);
  const title = words.value.board.title;
  if (isDesk.value) {
    return frame(
      { title, place: "board", wide: true, bare: true },
      component(Desk, { orderId: params.orderId ?? "" }),
    );
  }
  return frame(
    { title, place: "board", bare: true },
    component(Waiting, {}),
    component(Tabs, {}),
    component(InstallHint, {}),
  );
}

/** The way to what waits: its row is there from the first paint, also where nothing waits. */
const Waiting = () =>
  div(
    { class: unread.value ? "inbox-line unread" : "inbox-line" },
    a({ href: "/inbox" }, inboxLine.value || words.value.board.waits),
    component(InboxText, {}),
  );

// Tabs: the board on a phone, one status at a time, each with its count.

/** @typedef {Api.Order["status"]} OrderStatus */

const Scan = later(() => import("./board/scan.js"));
const Search = later(() => import("./board/search.js"));

/** The tab that was looked at last: coming back from an order leads to it. */
const shown = signal(/** @type {OrderStatus} */ ("todo"));
const query = signal("");
/** On a phone the tickets come first: the field is there when it is wanted. */
const isSearching = signal(false);
/** What is open by its day, whatever its status. */
const isByDay = signal(false);
/** Below this many orders everything is seen at a glance. */
const SEARCHED = 8;

function Tabs() {
  return section(
    { class: "stack", "aria-label": words.value.board.orders },
    h2({ class: "spoken" }, words.value.board.orders),
    div({ class: "tabs", role: "tablist", onKeyDown: onArrow }, ...STATUSES.map(tab)),
    div(
      { class: "board-tools" },
      newOrder(),
      component(Scan, {}),
      toggleButton(isByDay, words.value.board.byDay, "calendar"),
      isSearchable() &&
        toggleButton(isSearching, words.value.common.search, "search", () => (query.value = "")),
    ),
    isSearchable() && component(Search, {
      open: isSearching.value,
      value: query.value,
      onInput: (value) => (query.value = value),
    }),
    div(
      { role: "tabpanel", id: "orders", "aria-labelledby": `tab-${shown.value}` },
      component(Column, { status: isByDay.value ? "open" : shown.value, query: query.value }),
    ),
  );
}

const isSearchable = () => orders.value.length > SEARCHED;

/** @param {import("../vendor/signals.js").Signal<boolean>} isOn @param {string} label @param {string} icon @param {() => void} [after] */
const toggleButton = (isOn, label, icon, after) =>
  actionButton({
    label,
    icon,
    iconOnly: true,
    pressed: isOn.value,
    onClick: () => {
      isOn.value = !isOn.value;
      after?.();
    },
  });

/** @param {OrderStatus} status */
function tab(status) {
  const selected = !isByDay.value && shown.value === status;
  return button(
    {
      class: `tab status-${status}`,
      type: "button",
      role: "tab",
      id: `tab-${status}`,
      "aria-controls": "orders",
      "aria-selected": selected,
      tabIndex: shown.value === status ? 0 : -1,
      onClick: () => {
        shown.value = status;
        isByDay.value = false;
      },
    },
    b({ class: "figures" }, String(countOf(status, query.value))),
    span({}, words.value.common.orderStatus[status]),
  );
}

/** @param {KeyboardEvent} event */
function onArrow(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const at = (STATUSES.indexOf(shown.value) + step + STATUSES.length) % STATUSES.length;
  shown.value = STATUSES[at] ?? "todo";
  document.getElementById(`tab-${shown.value}`)?.focus();
}
