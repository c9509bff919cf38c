// Head of an order: number, stage, title, when it is due and where it lies; call and message; what it waits for.

import { actionButton } from "../../components/action-button.js";
import { component, div, h2, icon, p, span } from "../../components/tags.js";
import { stamp } from "../../components/stamp.js";
import { dueIn, stageOf } from "../../domain/stages.js";
import { date } from "../../domain/format.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { orderWords } from "../../i18n/orders.js";
import { detailsOf } from "../../state/order-details.js";
import { pendingOf } from "../../state/outbox.js";
import { useState } from "../../vendor/hooks.js";
import { MessageSheet } from "./message-sheet.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").Order} Order */

/** The stamps are coloured by status. */
const COLOURS = /** @type {const} */ ({
  received: "todo",
  waiting: "alarm",
  in_progress: "in_progress",
  ready: "done",
  collected: "done",
});

/** @param {{ order: Order }} props */
export function Head({ order }) {
  const details = detailsOf(order.id);
  const text = orderWords.value;
  const stage = stageOf(order, details);
  const waits = stage === "waiting" && details.waitingFor;
  return div(
    { class: `panel order-head status-${order.status}` },
    div(
      { class: "row" },
      span({ class: "order-number figures" }, details.number ? `№ ${details.number}` : "№ …"),
      stamp({
        status: COLOURS[stage],
        word: waits ? text.waitsFor(text.waitingFor[waits]) : text.stages[stage],
      }),
      (stage === "ready" || stage === "collected") ? null : due(details),
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

/** @param {{dueOn?: string, dueTime?: string}} details */
function due({ dueOn, dueTime = "" }) {
  const found = dueIn({ dueOn, ...(dueTime ? { dueTime } : {}) }, new Date());
  if (!found || !dueOn) return null;
  return span({ class: found.isLate ? "due late-due" : "due" }, dueWords(found, dueOn, dueTime));
}

/** @param {{days: number, isLate: boolean}} found @param {string} dueOn @param {string} dueTime */
function dueWords({ days, isLate }, dueOn, dueTime) {
  const text = orderWords.value.due;
  if (isLate) return text.late(words.value.common.days(-days), -days);
  if (days === 0) return text.today(dueTime);
  if (days === 1) return text.tomorrow(dueTime);
  return `${date(dueOn, wordsLanguage.value)} ${dueTime}`.trim();
}

/** @param {{ order: Order, phone: string }} props */
function Contact({ order, phone }) {
  const [isOpen, setOpen] = useState(false);
  const text = orderWords.value;
  return div(
    { class: "order-contact" },
    phone && actionButton({ label: text.call, icon: "phone", href: `tel:${phone.replace(/[^\d+]/g, "")}` }),
    actionButton({ label: text.message, icon: "message-circle", onClick: () => setOpen(true) }),
    isOpen && component(MessageSheet, { order, onClose: () => setOpen(false) }),
  );
}
