// Column: the orders of one status under headings of when they are due; what is done by the newest activity.

import { actionButton } from "../../components/action-button.js";
import { later } from "../../components/later.js";
import { emptyState } from "../../components/notice.js";
import { b, component, div, h3, p } from "../../components/tags.js";
import { byDue } from "../../domain/due.js";
import { hasOrders } from "../../state/orders.js";
import { clock, isWhole, shownOf, tickets } from "../../state/tickets.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { go } from "../../state/router.js";
import { words } from "../../words/words.js";
import { OrderTicket } from "./order-ticket.js";

/** @typedef {Api.Order["status"]} OrderStatus */

/** @typedef {import("../../state/tickets.js").Shown} Shown */

/** @type {readonly OrderStatus[]} */
export const STATUSES = ["todo", "in_progress", "done"];

const End = later(() => import("./end.js"));

/** So many tickets at a time: of ten thousand nobody looks at all. */
const MOST = 300;

/** @param {{ status: import("../../state/tickets.js").Of, query: string, selected?: string }} props */
export function Column({ status, query, selected }) {
  const found = shownOf(status, query);
  const drawn = useFirstRows(found.length);
  const [most, setMost] = useState(MOST);
  const text = words.value.board;
  if (!hasOrders.value && found.length === 0) {
    return p({ class: "quiet-text late" }, words.value.common.loading);
  }
  if (found.length === 0) {
    return query ? p({ class: "quiet-text" }, text.nothingFound(query)) : [
      emptyState({ text: EMPTY[status]() }),
      status === "todo" && !tickets.value.length && component(End, { kind: "import" }),
    ];
  }
  return div(
    { class: "tickets", "aria-busy": found[0]?.isEarly && "true" },
    status !== "done" && isWhole.value === false && component(End, { kind: "cut" }),
    ...parts(found, Math.min(drawn, most), selected),
    most < found.length &&
      actionButton({
        label: words.value.common.buttons.showMore,
        kind: "quiet",
        onClick: () => setMost(most + MOST),
      }),
    status === "done" && Math.min(drawn, most) >= found.length &&
      component(End, { kind: "older" }),
  );
}

/** The first tickets under their headings, in one list: a ticket that comes under another heading keeps its element, and with it the focus. Where no order has a day there are no headings. @param {readonly Shown[]} found @param {number} drawn @param {string} [selected] */
function parts(found, drawn, selected) {
  /** @param {Shown} shown */
  const drawnTicket = (shown) =>
    component(OrderTicket, { key: shown.order.id, shown, selected: shown.order.id === selected });
  const groups = byDue(found, () => clock.value);
  if (groups.every(({ due }) => due === "none")) return found.slice(0, drawn).map(drawnTicket);
  let left = drawn;
  return groups.flatMap(({ due, tickets }) => {
    const some = tickets.slice(0, Math.max(0, left));
    left -= tickets.length;
    const heading = h3(
      { key: due, class: `due-heading ${due}` },
      words.value.board.due[due],
      " ",
      b({}, tickets.length),
    );
    return some.length > 0 ? [heading, ...some.map(drawnTicket)] : [];
  });
}

const EMPTY = {
  todo: () => words.value.board.emptyToDo,
  in_progress: () => words.value.board.emptyInProgress,
  done: () => words.value.board.emptyDone,
  open: () => words.value.board.emptyToDo,
};

const FIRST = 12;
const STEP = 48;
/** Between two steps the page answers taps. */
const PAUSE = 40;

/** Later lists are drawn whole: the place that was left is found again. */
let isStarting = true;

/** How many rows of a list to draw now. @param {number} count */
function useFirstRows(count) {
  const [drawn, setDrawn] = useState(isStarting ? FIRST : Infinity);
  const hasMore = drawn < count;
  useEffect(() => {
    if (!hasMore) {
      if (count > 0) isStarting = false;
      return;
    }
    const step = setTimeout(() => setDrawn(drawn + STEP), PAUSE);
    return () => clearTimeout(step);
  }, [drawn, hasMore, count > 0]);
  return drawn;
}

/** Leads to the intake. */
export const newOrder = () =>
  actionButton({
    label: words.value.board.newOrder,
    icon: "plus",
    wide: true,
    onClick: () => go("/orders/new"),
  });
