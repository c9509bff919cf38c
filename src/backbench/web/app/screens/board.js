// Board: the orders of the workshop by status, and what waits for the person.

import { actionButton } from "../components/action-button.js";
import { loadFonts } from "../components/fonts.js";
import { frame } from "../components/frame.js";
import { later } from "../components/later.js";
import { b, button, component, div, h2, isDesk, section, span } from "../components/tags.js";
import { catchUp } from "../state/live.js";
import { orders } from "../state/orders.js";
import { countOf, inboxHeight } from "../state/tickets.js";
import { useEffect } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { words } from "../words/words.js";
import { Column, newOrder, STATUSES } from "./board/column.js";

const Desk = later(() => import("./board/desk.js"));
const Inbox = later(async () => (await loadFonts(), await import("./board/inbox.js")));
const InstallHint = later(() => import("./start/install-hint.js"));

/** @param {{ params: Readonly<Record<string, string>> }} props `orderId` is the order shown beside the board */
export function screen({ params }) {
  useEffect(catchUp, []);
  const title = words.value.board.title;
  if (isDesk.value) {
    return frame(
      { title, place: "board", wide: true, bare: true },
      component(Desk, { orderId: params.orderId ?? "" }),
    );
  }
  return frame(
    { title, place: "board", bare: true },
    component(InboxPlace, {}),
    component(Tabs, {}),
    component(InstallHint, {}),
  );
}

/** Keeps the place of the inbox until it is there: nothing moves under a finger. */
function InboxPlace() {
  const height = inboxHeight.value;
  return div(
    { class: "inbox-place", style: height ? { minHeight: `${height}px` } : { display: "contents" } },
    component(Inbox, {}),
  );
}

// Tabs: the board on a phone, one status at a time, each with its count.

/** @typedef {Api.Order["status"]} OrderStatus */

const Scan = later(() => import("./board/scan.js"));
const Search = later(() => import("./board/search.js"));

/** The tab that was looked at last: coming back from an order leads to it. */
const shown = signal(/** @type {OrderStatus} */ ("todo"));
const query = signal("");
/** On a phone the tickets come first: the field is there when it is wanted. */
const isSearching = signal(false);
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
      isSearchable() && searchButton(),
    ),
    isSearchable() && component(Search, {
      open: isSearching.value,
      value: query.value,
      onInput: (value) => (query.value = value),
    }),
    div(
      { role: "tabpanel", id: "orders", "aria-labelledby": `tab-${shown.value}` },
      component(Column, { status: shown.value, query: query.value }),
    ),
  );
}

const isSearchable = () => orders.value.length > SEARCHED;

function searchButton() {
  return actionButton({
    label: words.value.board.search,
    icon: "search",
    iconOnly: true,
    pressed: isSearching.value,
    onClick: () => {
      isSearching.value = !isSearching.value;
      query.value = "";
    },
  });
}

/** @param {OrderStatus} status */
function tab(status) {
  const selected = shown.value === status;
  return button(
    {
      class: `tab status-${status}`,
      type: "button",
      role: "tab",
      id: `tab-${status}`,
      "aria-controls": "orders",
      "aria-selected": selected,
      tabIndex: selected ? 0 : -1,
      onClick: () => (shown.value = status),
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
