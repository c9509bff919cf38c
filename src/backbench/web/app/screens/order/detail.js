// Detail of an order: its ticket, the estimate, questions, facts edited where they stand, notes, and its history.

import { actionButton } from "../../components/action-button.js";
import { missing, useOpened } from "../../components/answer.js";
import { isOnline } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { later } from "../../components/later.js";
import { b, component, div, h2, icon, isDesk, li, ol, p, section, span, ul } from "../../components/tags.js";
import { stamp } from "../../components/ticket.js";
import { choice, fold } from "../../components/controls.js";
import { textField } from "../../components/text-field.js";
import { ago, amount, dateTime, quantity } from "../../domain/format.js";
import { telLink } from "../../domain/phones.js";
import { stageOf } from "../../domain/stages.js";
import { openAmount } from "../../state/amounts-due.js";
import { customerOf } from "../../state/customers.js";
import { draftOf, keepDraft } from "../../state/drafts.js";
import { createEstimate, estimate, openEstimate } from "../../state/estimates.js";
import {
  answer,
  detailsOf,
  editDetails,
  noticesOf,
  openDetails,
  questionsOf,
} from "../../state/order-details.js";
import { deleteOrder, openOrder, order as orderOf } from "../../state/orders.js";
import { isPending } from "../../state/outbox.js";
import { softly } from "../../state/records.js";
import { go } from "../../state/router.js";
import { telling } from "../../state/tickets.js";
import { totals } from "../../state/totals.js";
import { offerDrop } from "../../state/undo.js";
import { currency } from "../../state/workshops.js";
import { useEffect } from "../../vendor/hooks.js";
import { customerWords } from "../../words/customers.js";
import { orderWords } from "../../words/orders.js";
import { words, wordsLanguage } from "../../words/words.js";
import { STATUSES } from "../board/column.js";
import { Papers } from "../papers/papers.js";
import { Money } from "../payments/money.js";
import { Facts } from "./facts.js";
import { moveHere, NextStep } from "./next-step.js";
const Invoices = later(() => import("../invoices/of-order.js"));
const Photos = later(() => import("../photos/strip.js"));

/** @param {{ orderId: string }} props */
export function OrderDetail({ orderId }) {
  const order = orderOf(orderId).value;
  const opened = useOpened(() => openOrder(orderId), order, orderId);
  const online = isOnline();
  useEffect(() => void openDetails(orderId), [orderId, order?.id, online]);
  const text = orderWords.value;
  if (!order) {
    return missing(opened, {
      text: text.gone,
      action: { label: text.backToBoard, onClick: () => go("/") },
    });
  }
  return div(
    { class: "stack" },
    component(Head, { order }),
    isDesk.value && component(NextStep, { orderId }),
    component(Talk, { orderId: order.id }),
    section(
      { class: "panel order-ways-out" },
      component(Photos, { orderId: order.id }),
      component(Papers, { orderId: order.id }),
    ),
    section(
      { class: "panel" },
      component(Money, { order }),
      component(EstimatePart, { order }),
      component(Invoices, { order }),
    ),
    section({ class: "panel" }, actions(order), component(History, { order })),
  );
}

/** The other stages, and work that has no estimate yet. @param {Api.Order} order */
function actions(order) {
  const text = orderWords.value;
  return div(
    { class: "stack" },
    choice({
      label: text.moveTo,
      value: order.status,
      options: STATUSES.map((value) => ({ value, label: words.value.common.orderStatus[value] })),
      onChange: (status) => moveHere(order, status),
    }),
    !detailsOf(order.id).estimateId && actionButton({
      label: text.makeEstimate,
      icon: "receipt-text",
      onClick: () => makeEstimate(order),
    }),
  );
}

/** @param {Api.Order} order */
function makeEstimate(order) {
  const id = createEstimate({
    name: order.title,
    ...(order.customerName ? { recipientName: order.customerName } : {}),
  });
  // Sent once the server has the estimate.
  editDetails(order.id, { estimateId: id });
  go(`/estimates/${id}`);
}

/** What happened, and what is rare. @param {{ order: Api.Order }} props */
function History({ order }) {
  const entries = [...moves(order), ...told(order), ...collected(order)]
    .sort((one, other) => one.at < other.at ? -1 : 1);
  const text = orderWords.value;
  const remove = () => {
    offerDrop(text.deleted(order.title), deleteOrder(order.id), () => go(`/orders/${order.id}`));
    go("/", { replace: true });
  };
  return fold(text.history, [
    ol(
      { class: "stack" },
      ...entries.map(({ at, mark }, index) =>
        li(
          { key: index, class: "row" },
          mark,
          span({ class: "quiet-text figures" }, dateTime(at, wordsLanguage.value)),
        )
      ),
    ),
    actionButton({ label: text.delete, icon: "trash-2", kind: "quiet", onClick: remove }),
  ]);
}

/** @param {Api.Order} order */
function moves({ statusHistory }) {
  const names = words.value.common.orderStatus;
  return statusHistory.map(({ status, at }) => ({ at, mark: stamp({ status, word: names[status] }) }));
}

/** @param {Api.Order} order */
function told({ id }) {
  const { noticed, channels } = orderWords.value;
  return noticesOf(id).map(({ kind, channel, at }) => ({
    at,
    mark: span({}, `${noticed[kind]} (${channels[channel]})`),
  }));
}

/** @param {Api.Order} order */
function collected({ id, status }) {
  const { collectedAt, collectedBy } = detailsOf(id);
  if (status !== "done" || !collectedAt) return [];
  const text = orderWords.value;
  const said = [text.stages.collected, collectedBy && text.collectedBy(collectedBy)];
  return [{ at: collectedAt, mark: span({}, said.filter(Boolean).join(", ")) }];
}

/** Nothing, until somebody asked. @param {{ orderId: string }} props */
function Talk({ orderId }) {
  const draft = draftOf(orderId);
  const questions = questionsOf(orderId);
  if (!questions.length) return null;
  const text = orderWords.value;
  const submit = () => {
    answer(orderId, draft.trim());
    keepDraft(orderId, "");
  };
  return section(
    { class: "panel" },
    h2({}, text.talk),
    ul({ class: "stack" }, ...questions.map(said)),
    textField({
      label: text.answer,
      help: text.answerHelp,
      value: draft,
      multiline: true,
      maxLength: 2000,
      onInput: (value) => keepDraft(orderId, value),
    }),
    actionButton({
      label: text.sendAnswer,
      icon: "send",
      isFinal: true,
      disabled: draft.trim() === "",
      onClick: submit,
    }),
  );
}

/** @param {Api.OrderQuestion} question */
function said({ id, by, name, text, at }) {
  return li(
    { key: id, class: `said ${by}` },
    div(
      { class: "row" },
      b({}, by === "member" ? name || orderWords.value.us : name),
      span({ class: "quiet-text" }, ago(at, Date.now(), wordsLanguage.value)),
    ),
    p({}, text),
  );
}

// Head of an order: number, stage, title, when it is due and where it lies; call and message; what it waits for.

/** The stamps are coloured by status. */
const COLOURS = /** @type {const} */ ({
  received: "todo",
  waiting: "waiting",
  in_progress: "in_progress",
  ready: "done",
  collected: "collected",
});

/** @param {{ order: Api.Order }} props */
function Head({ order }) {
  const details = detailsOf(order.id);
  return section(
    { class: `panel order-head status-${order.status}` },
    isDesk.value && div(
      { class: "row" },
      span({ class: "order-number figures" }, orderWords.value.number(details.number ?? "…")),
      component(Stage, { orderId: order.id }),
    ),
    isPending(order.id) &&
      p({ class: "row quiet-text" }, icon("clock"), words.value.common.connection.notSentYet),
    component(Facts, { order }),
    contact(order.id, details),
  );
}

/** Where the work is, and what is to be paid. @param {{ orderId: string }} props */
export function Stage({ orderId }) {
  const order = orderOf(orderId).value;
  if (!order) return null;
  const details = detailsOf(orderId);
  const text = orderWords.value;
  const stage = stageOf(order, details);
  const waits = stage === "waiting" && details.waitingFor;
  return [
    stamp({
      status: COLOURS[stage],
      word: waits ? text.waitsFor(text.waitingFor[waits]) : text.stages[stage],
    }),
    due(orderId),
  ];
}

/** What is to be paid, also before the payments are there. @param {string} id */
function due(id) {
  const left = openAmount(id);
  const text = words.value.board;
  if (!left) return null;
  return Number(left.amount) > 0
    ? b(
      { class: "order-due figures" },
      `${amount(left.amount, left.currency, wordsLanguage.value)} ${text.toPay}`,
    )
    : span({ class: "badge paid order-due" }, text.paid);
}

/** Call, message, and the card of the customer. @param {string} id @param {Partial<Api.OrderDetails>} details */
function contact(id, { phone = "", customerId = "" }) {
  const text = orderWords.value;
  const customer = customerOf(customerId);
  return div(
    { class: "order-contact" },
    telLink(phone) && actionButton({ label: text.call, icon: "phone", href: telLink(phone) }),
    actionButton({
      label: text.message,
      icon: "message-circle",
      onClick: () => (telling.value = { id }),
    }),
    customer && actionButton({
      label: customerWords.value.openCard,
      about: customer.name,
      icon: "user",
      iconOnly: true,
      href: `/customers/${customer.id}`,
    }),
  );
}

// The estimate of an order: its price, its lines one tap away, and a plain warning where it is above the limit.

/** @param {{ order: Api.Order }} props */
function EstimatePart({ order }) {
  const { estimateId = "", priceLimit, exceedsLimit = false } = detailsOf(order.id);
  useEffect(() => {
    if (estimateId) void softly(() => openEstimate(estimateId));
  }, [estimateId]);
  const text = orderWords.value;
  const shown = (/** @type {string | number} */ value) => amount(value, currency.value, wordsLanguage.value);
  if (!estimateId) return null;
  const found = estimate(estimateId).value;
  const total = totals(estimateId).value?.total;
  const isKnown = total !== undefined && priceLimit !== undefined;
  const isOver = isKnown ? Number(total) > priceLimit : exceedsLimit;
  return div(
    { class: "stack" },
    fold([text.fromEstimate, total !== undefined && b({ class: "figures" }, shown(total))], [
      found && lines(found, totals(estimateId).value?.lines ?? []),
      actionButton({ label: text.openEstimate, icon: "receipt-text", href: `/estimates/${estimateId}` }),
    ]),
    isOver &&
      warning(estimateId, isKnown ? text.overLimit(shown(total), shown(priceLimit)) : text.overLimitUnknown),
  );
}

/** @param {string} estimateId @param {string} text */
function warning(estimateId, text) {
  const action = {
    label: orderWords.value.askApproval,
    onClick: () => go(`/estimates/${estimateId}/send`),
  };
  return notice({ kind: "warning", text, action });
}

/** @param {Api.Estimate} found @param {import("../../domain/money.js").LineAmount[]} amounts */
function lines(found, amounts) {
  const language = wordsLanguage.value;
  return ul(
    { class: "order-lines", "aria-label": orderWords.value.lines },
    ...found.lineItems.map((line, at) =>
      li(
        { key: line.id },
        span({}, `${line.quantity === 1 ? "" : `${quantity(line.quantity, language)} × `}${line.label}`),
        span({ class: "figures" }, amount(amounts[at]?.amount ?? "0", currency.value, language)),
      )
    ),
  );
}
