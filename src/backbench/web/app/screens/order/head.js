// Head of an order: number, stage, title, when it is due and where it lies; call and message; what it waits for.

import { actionButton } from "../../components/action-button.js";
import { component, div, h2, icon, p, span } from "../../components/tags.js";
import { stamp } from "../../components/stamp.js";
import { dueOf } from "../../domain/due.js";
import { telLink } from "../../domain/phones.js";
import { stageOf } from "../../domain/stages.js";
import { words } from "../../words/words.js";
import { orderWords } from "../../words/orders.js";
import { detailsOf } from "../../state/order-details.js";
import { pendingOf } from "../../state/outbox.js";
import { clock } from "../../state/tickets.js";
import { useState } from "../../vendor/hooks.js";
import { dueText } from "../board/due-text.js";
import { MessageSheet } from "./message-sheet.js";

/** The stamps are coloured by status. */
const COLOURS = /** @type {const} */ ({
  received: "todo",
  waiting: "alarm",
  in_progress: "in_progress",
  ready: "done",
  collected: "done",
});

/** @param {{ order: Api.Order }} props */
export function Head({ order }) {
  const details = detailsOf(order.id);
  const text = orderWords.value;
  const stage = stageOf(order, details);
  const waits = stage === "waiting" && details.waitingFor;
  return div(
    { class: `panel order-head status-${order.status}` },
    div(
      { class: "row" },
      span({ class: "order-number figures" }, text.number(details.number ?? "…")),
      stamp({
        status: COLOURS[stage],
        word: waits ? text.waitsFor(text.waitingFor[waits]) : text.stages[stage],
      }),
      order.status !== "done" && dueChip(details),
    ),
    h2({}, order.title),
    p({}, order.customerName),
    details.item?.condition && p({ class: "quiet-text" }, details.item.condition),
    details.place && p({ class: "quiet-text" }, `${text.place}: ${details.place}`),
    pendingOf(order.id).value &&
      p({ class: "row quiet-text" }, icon("clock"), words.value.common.connection.notSentYet),
    component(Contact, { order, phone: details.phone ?? "" }),
  );
}

/** @param {Partial<Api.OrderDetails>} details */
function dueChip(details) {
  const { dueOn } = details;
  if (!dueOn) return null;
  const due = dueOf(details, clock.value);
  return span({ class: `due ${due}` }, icon("clock"), dueText({ ...details, dueOn }, due, clock.value.today));
}

/** @param {{ order: Api.Order, phone: string }} props */
function Contact({ order, phone }) {
  const [isOpen, setOpen] = useState(false);
  const text = orderWords.value;
  return div(
    { class: "order-contact" },
    telLink(phone) && actionButton({ label: text.call, icon: "phone", href: telLink(phone) }),
    actionButton({ label: text.message, icon: "message-circle", onClick: () => setOpen(true) }),
    isOpen && component(MessageSheet, { order, onClose: () => setOpen(false) }),
  );
}
