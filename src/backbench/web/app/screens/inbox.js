// Inbox: what waits for the person, each with its one next step; on the board of a phone in one line.

import { actionButton } from "../components/action-button.js";
import { isOnline, useCommand } from "../components/command.js";
import { frame } from "../components/frame.js";
import { later } from "../components/later.js";
import { emptyState } from "../components/notice.js";
import { a, b, component, div, h2, icon, isDesk, li, p, section, span, ul } from "../components/tags.js";
import { ago, amount, dateTime } from "../domain/format.js";
import { isAnswer, owedBy, pageOf, since, STEPS } from "../domain/inbox.js";
import { telLink } from "../domain/phones.js";
import { dismiss, dueLeft, inbox, isOld, loadedAt, markRead } from "../state/inbox.js";
import { createOrderOf } from "../state/order-details.js";
import { deleteOrder, hasOrders, order } from "../state/orders.js";
import { loadSummaries, summaries } from "../state/summaries.js";
import { inboxLine, telling, tickets, unread } from "../state/tickets.js";
import { offerDrop, offerUndo } from "../state/undo.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { Fragment } from "../vendor/preact.js";
import { inboxWords } from "../words/inbox.js";
import { words, wordsLanguage } from "../words/words.js";

const AnswerSheet = later(() => import("./board/answer-sheet.js"));

/** @typedef {import("../components/command.js").Go} Go */
/** @typedef {import("../state/inbox.js").Item} Item */

/** How many are shown at first next to the board. */
const FIRST = 6;
/** What was in sight for so long was read. */
const READING = 3_000;

export function screen() {
  const text = inboxWords.value;
  return frame(
    { title: text.title, place: "board", back: "/" },
    inbox.value.length
      ? component(InboxList, { isWhole: true })
      : hasOrders.value
      ? emptyState({ text: text.allDone })
      : p({ class: "quiet-text late" }, words.value.common.loading),
  );
}

/** Says in two lines how many wait, and what comes first: "17 wait for you", "Orla accepted €8,328.36". Has the step of an answer. */
export function part() {
  // With the summaries come the sums.
  useEffect(() => void loadSummaries(), []);
  const [asked, setAsked] = useState(/** @type {Item | null} */ (null));
  const { said, busy, run } = useCommand();
  const [first] = inbox.value;
  const text = inboxWords.value;
  const line = first
    ? `${text.count(inbox.value.length)}\n${[headline(first), sumOf(first)].filter(Boolean).join(" ")}`
    : text.allDone;
  useEffect(() => {
    if (hasOrders.value) inboxLine.value = line;
  }, [line, hasOrders.value]);
  useReading(first ? [first] : []);
  return [
    first && isAnswer(first)
      ? step(first, busy, run, () => setAsked(first), { ...text.steps, order: text.order })
      : icon("chevron-right"),
    said && p({ class: "field-problem", role: "alert" }, said),
    asked && component(AnswerSheet, { item: asked, onClose: () => setAsked(null) }),
    news(),
  ];
}

/** For screen readers: how many are new. */
const news = () =>
  span(
    { class: "spoken", role: "status" },
    unread.value > 0 ? words.value.board.unread(unread.value) : "",
  );

/** @param {Item} item */
function headline({ kind, name, title }) {
  const { by, kinds } = inboxWords.value;
  const said = name && by[/** @type {keyof typeof by} */ (kind)];
  return said ? said(name) : `${kinds[kind]}: ${name || title}`;
}

/** The list, or nothing. @param {{ isWhole?: boolean }} props */
export function InboxList({ isWhole = false }) {
  const [all, setAll] = useState(isWhole);
  useEffect(() => void loadSummaries(), []);
  const [asked, setAsked] = useState(/** @type {Item | null} */ (null));
  const items = inbox.value;
  const shown = all ? items : items.slice(0, FIRST);
  useReading(shown);
  return component(
    Fragment,
    {},
    items.length > 0 && list(items, shown, setAsked, () => setAll(true)),
    // It stays when its item goes, because the question was answered.
    asked && component(AnswerSheet, { item: asked, onClose: () => setAsked(null) }),
  );
}

/** @param {Item[]} items @param {Item[]} shown @param {(item: Item) => void} onSheet @param {() => void} onAll */
function list(items, shown, onSheet, onAll) {
  const text = inboxWords.value;
  return section(
    { class: "stack inbox", "aria-label": text.title },
    isDesk.value && div(
      { class: "inbox-head" },
      h2({}, text.title, " ", b({ class: "figures" }, String(items.length))),
      shown.length < items.length && actionButton({
        label: text.showAll,
        kind: "quiet",
        onClick: onAll,
      }),
    ),
    news(),
    isOld.value && loadedAt.value > 0 && asOf(),
    ul(
      { class: "inbox-rows" },
      ...shown.map((item) => component(InboxRow, { key: item.id, item, onSheet: () => onSheet(item) })),
    ),
  );
}

function asOf() {
  const text = inboxWords.value.asOf(dateTime(loadedAt.value, wordsLanguage.value));
  return p({ class: "row quiet-text" }, icon("wifi-off"), span({}, text));
}

/** Marks what is shown as read, after a while in which the page is seen. @param {Item[]} shown */
function useReading(shown) {
  const fresh = shown.filter(({ read }) => !read);
  useEffect(() => {
    if (!fresh.length) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void markRead(fresh);
    }, READING);
    return () => clearInterval(timer);
  }, [fresh.map(({ id }) => id).join()]);
}

// A row of the inbox: what happened, who, what, how much; its next step, and the mark that it is done with.

/** @type {Record<import("../domain/inbox.js").Kind, string>} */
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
  unpaid: "receipt-text",
};

/** @param {{ item: Item, onSheet: () => void }} props `onSheet` opens the sheet of the step */
function InboxRow({ item, onSheet }) {
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
        ` · ${ago(since(item), Date.now(), wordsLanguage.value)}`,
      ),
      a({ href: pageOf(item, STEPS[kind]) }, name ? `${name}: ${title}` : title),
      sum && [" ", span({ class: "figures inbox-sum" }, sum)],
      item.text && !owedBy(item) && p({ class: "quiet-text inbox-said" }, item.text),
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

/** @param {Item} item @param {boolean} busy @param {(work: (go: Go) => Promise<unknown>) => Promise<boolean>} run @param {() => void} onSheet @param {typeof inboxWords.value.steps} [steps] */
function step(item, busy, run, onSheet, steps = inboxWords.value.steps) {
  const kind = STEPS[item.kind];
  const about = item.title;
  const ticket = ticketOf(item.orderId);
  if (kind === "order") {
    const onClick = () => void run((go) => makeOrder(item, go));
    return actionButton({ label: steps.order, about, kind: "main", busy, disabled: !isOnline(), onClick });
  }
  // Of an order on its own page, where its other facts are.
  if (kind === "answer" && item.estimateId) {
    return actionButton({ label: steps.answer, about, kind: "main", onClick: onSheet });
  }
  // Of an older order on its own page, which loads it.
  if (item.kind === "owed" && ticket) {
    return actionButton({
      label: steps.remind,
      about,
      onClick: () => (telling.value = { id: ticket.order.id }),
    });
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

/** The client accepted: the work goes on the board, and its day and place can be said. @param {Item} item @param {Go} go */
async function makeOrder({ estimateId = "", title }, go) {
  const id = await createOrderOf(estimateId);
  go(`/orders/${id}`);
  offerUndo(inboxWords.value.orderMade(order(id).peek()?.title ?? title), () => void deleteOrder(id));
}
