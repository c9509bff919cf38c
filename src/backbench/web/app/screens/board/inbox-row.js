// A row of the inbox: what happened, who, what, how much; its next step, and the mark that it is done with.

import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { isOnline } from "../../components/needs-connection.js";
import { a, b, div, icon, li, p, span } from "../../components/tags.js";
import { pageOf, STEPS } from "../../domain/inbox.js";
import { ago, amount } from "../../domain/format.js";
import { telLink } from "../../domain/phones.js";
import { wordsLanguage } from "../../words/words.js";
import { inboxWords } from "../../words/inbox.js";
import { dismiss, dueLeft } from "../../state/inbox.js";
import { createOrderOf } from "../../state/order-of-estimate.js";
import { deleteOrder, order } from "../../state/orders.js";
import { summaries } from "../../state/summaries.js";
import { tickets } from "../../state/tickets.js";
import { offerDrop, offerUndo } from "../../state/undo.js";
import { move, NEXT } from "./order-ticket.js";

/** @typedef {import("../../state/inbox.js").Item} Item */

/** @type {Record<Item["kind"], string>} */
const ICONS = {
  accepted: "circle-check",
  declined: "x",
  question: "message-circle",
  overdue: "clock",
  due_today: "calendar",
  uncollected: "package",
  unanswered: "phone",
  expiring: "clock",
  unsent: "send",
  changed: "pencil",
  over_limit: "triangle-alert",
  owed: "wallet",
};

/** @param {{ item: Item, onSheet: () => void }} props `onSheet` opens the sheet of the step */
export function InboxRow({ item, onSheet }) {
  const text = inboxWords.value;
  const { said, busy, run } = useCommand();
  const { kind, title, name, read } = item;
  const sum = sumOf(item);
  return li(
    { class: read ? `inbox-row ${kind}` : `inbox-row unread ${kind}` },
    icon(ICONS[kind]),
    div(
      { class: "inbox-text" },
      p(
        { class: "inbox-kind" },
        !read && span({ class: "spoken" }, `${text.isNew}: `),
        b({}, text.kinds[kind]),
        ` · ${ago(item.at, Date.now(), wordsLanguage.value)}`,
      ),
      a({ href: pageOf(item, STEPS[kind]) }, name ? `${name}: ${title}` : title),
      sum && [" ", span({ class: "figures inbox-sum" }, sum)],
      item.text && kind !== "owed" && p({ class: "quiet-text inbox-said" }, item.text),
      said && p({ class: "field-problem", role: "alert" }, said),
    ),
    step(item, busy, run, onSheet),
    done(item),
  );
}

/** What is owed; of the estimate; else what was agreed for the order. @param {Item} item */
function sumOf(item) {
  const { estimateId, orderId } = item;
  const language = wordsLanguage.value;
  const owed = dueLeft(item);
  if (owed) return amount(owed.amount, owed.currency, language);
  const estimate = estimateId && summaries.value.find((one) => one.estimateId === estimateId);
  if (estimate) return amount(estimate.total, estimate.currency, language);
  const agreed = orderId && ticketOf(orderId)?.facts?.agreed;
  return agreed ? amount(agreed.total, agreed.currency, language) : "";
}

/** @param {string | undefined} orderId */
function ticketOf(orderId) {
  return tickets.value.find(({ order }) => order.id === orderId);
}

/** @param {Item} item */
function done(item) {
  const text = inboxWords.value;
  return actionButton({
    label: text.done,
    about: item.title,
    icon: "check",
    kind: "quiet",
    iconOnly: true,
    onClick: () => offerDrop(text.isDone(item.title), dismiss(item)),
  });
}

/** @param {Item} item @param {boolean} busy @param {(work: () => Promise<unknown>) => Promise<boolean>} run @param {() => void} onSheet */
function step(item, busy, run, onSheet) {
  const { steps } = inboxWords.value;
  const kind = STEPS[item.kind];
  const about = item.title;
  const ticket = ticketOf(item.orderId);
  if (kind === "order") {
    const onClick = () => void run(() => makeOrder(item));
    return actionButton({ label: steps.order, about, kind: "main", busy, disabled: !isOnline(), onClick });
  }
  // Of an order on its own page, where its other facts are.
  if (kind === "answer" && item.estimateId) {
    return actionButton({ label: steps.answer, about, kind: "main", onClick: onSheet });
  }
  // Of an older order on its own page, which loads it.
  if (item.kind === "owed" && ticket) return actionButton({ label: steps.remind, about, onClick: onSheet });
  if (kind === "move" && ticket && ticket.order.status !== "done") {
    const late = ticket.order;
    const label = late.status === "todo" ? steps.start : steps.finish;
    return actionButton({ label, about, onClick: () => move(late, NEXT[late.status]) });
  }
  const phone = ticket?.facts?.phone;
  if (kind === "call" && phone && telLink(phone)) return call(phone, about);
  const label = kind === "move" || kind === "call" ? steps.open : steps[kind];
  return actionButton({ label, about, href: pageOf(item, kind) });
}

/** @param {string} phone @param {string} about */
function call(phone, about) {
  return actionButton({ label: inboxWords.value.steps.call, about, icon: "phone", href: telLink(phone) });
}

/** The client accepted: the work goes on the board. @param {Item} item */
async function makeOrder({ estimateId = "", title }) {
  const id = await createOrderOf(estimateId);
  offerUndo(inboxWords.value.orderMade(order(id).peek()?.title ?? title), () => void deleteOrder(id));
}
