// Detail of an order: its ticket, the estimate, questions, facts edited where they stand, notes, and its history.

import { boundFields } from "../../components/bound-fields.js";
import { isProblem } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { emptyState, notice } from "../../components/notice.js";
import { later } from "../../components/later.js";
import { linkRow } from "../../components/link-row.js";
import {
  b,
  component,
  details as detailsTag,
  div,
  h2,
  icon,
  isDesk,
  li,
  ol,
  p,
  section,
  span,
  summary,
  ul,
} from "../../components/tags.js";
import { stamp } from "../../components/ticket.js";
import { textField } from "../../components/text-field.js";
import { dueOf } from "../../domain/due.js";
import { ago, amount, dateTime, quantity } from "../../domain/format.js";
import { telLink } from "../../domain/phones.js";
import { stageOf } from "../../domain/stages.js";
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
import { deleteOrder, editOrder, openOrder, order as orderOf } from "../../state/orders.js";
import { isPending, settle } from "../../state/outbox.js";
import { softly } from "../../state/records.js";
import { go } from "../../state/router.js";
import { clock } from "../../state/tickets.js";
import { totals } from "../../state/totals.js";
import { offerDrop } from "../../state/undo.js";
import { currency } from "../../state/workshops.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { customerWords } from "../../words/customers.js";
import { orderWords } from "../../words/orders.js";
import { words, wordsLanguage } from "../../words/words.js";
import { dueText } from "../board/facts.js";
import { move } from "../board/order-ticket.js";
import { Papers } from "../papers/papers.js";
import { Money } from "../payments/money.js";
import { Facts } from "./facts.js";
import { MessageSheet } from "./message-sheet.js";
import { NextStep } from "./next-step.js";
const Photos = later(() => import("../photos/strip.js"));

/** @param {{ orderId: string }} props */
export function OrderDetail({ orderId }) {
  const [missing, setMissing] = useState(false);
  const order = orderOf(orderId).value;
  useEffect(() => {
    openOrder(orderId).then((found) => setMissing(!found), () => setMissing(true));
    void openDetails(orderId);
  }, [orderId, order?.id]);
  const text = orderWords.value;
  if (!order) {
    return missing
      ? emptyState({ text: text.gone, action: { label: text.backToBoard, onClick: () => go("/") } })
      : p({ class: "quiet-text late" }, words.value.common.loading);
  }
  return div(
    { class: "stack" },
    component(Head, { order }),
    isDesk.value && component(NextStep, { orderId }),
    component(Photos, { orderId: order.id }),
    section({ class: "panel" }, component(Papers, { orderId: order.id })),
    component(EstimatePart, { order }),
    component(Money, { order }),
    component(Talk, { orderId: order.id }),
    what(order),
    component(Facts, { order }),
    component(History, { order }),
    actions(order),
  );
}

/** @param {Api.Order} order */
function what(order) {
  const text = orderWords.value;
  // An order without a title is refused: the last one stays until there is another.
  const check = (/** @type {string} */ title) => title.trim() ? undefined : text.titleMissing;
  /** @type {import("../../components/bound-fields.js").Bound} */
  const bound = {
    kind: "order",
    id: order.id,
    value: { value: order },
    save: editOrder.bind(null, order.id),
  };
  const field = boundFields(bound, text);
  return div(
    { class: "panel" },
    field.text("title", { maxLength: 250, check }),
    field.text("customerName", { maxLength: 250, empty: "" }),
    component(OfCustomer, { orderId: order.id }),
    field.text("notes", { maxLength: 5000, multiline: true, empty: "" }),
  );
}

/** The way to the card of the customer. @param {{ orderId: string }} props */
function OfCustomer({ orderId }) {
  const customer = customerOf(detailsOf(orderId).customerId);
  return customer && linkRow({
    href: `/customers/${customer.id}`,
    title: customerWords.value.openCard,
    detail: customer.name,
    icon: "user",
  });
}

/** @param {Api.Order} order */
function actions(order) {
  const text = orderWords.value;
  const remove = () => {
    offerDrop(text.deleted(order.title), deleteOrder(order.id), () => go(`/orders/${order.id}`));
    go("/", { replace: true });
  };
  return div(
    { class: "stack" },
    order.status === "done" && actionButton({
      label: words.value.board.reopen,
      icon: "undo-2",
      onClick: () => move(order, "in_progress"),
    }),
    !detailsOf(order.id).estimateId && actionButton({
      label: text.makeEstimate,
      icon: "receipt-text",
      onClick: () => makeEstimate(order),
    }),
    actionButton({ label: text.delete, icon: "trash-2", kind: "quiet", onClick: remove }),
  );
}

/** @param {Api.Order} order */
function makeEstimate(order) {
  const id = createEstimate({
    name: order.title,
    ...(order.customerName ? { recipientName: order.customerName } : {}),
  });
  go(`/estimates/${id}`);
  settle(id).then((estimateId) => void editDetails(order.id, { estimateId }), (error) => {
    // Only an estimate that the server has can be linked: without a connection it stays on its own.
    if (!isProblem(error)) throw error;
  });
}

/** @param {{ order: Api.Order }} props */
function History({ order }) {
  const entries = [...moves(order), ...told(order), ...collected(order)]
    .sort((one, other) => one.at < other.at ? -1 : 1);
  return section(
    { class: "panel" },
    h2({}, orderWords.value.history),
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
  );
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
  waiting: "alarm",
  in_progress: "in_progress",
  ready: "done",
  collected: "done",
});

/** @param {{ order: Api.Order }} props */
function Head({ order }) {
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
    isPending(order.id) &&
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

// The estimate of an order: its price, its lines one tap away, and a plain warning where it is above the limit.

/** @param {{ order: Api.Order }} props */
function EstimatePart({ order }) {
  const { estimateId = "", priceLimit, exceedsLimit = false } = detailsOf(order.id);
  useEffect(() => {
    if (estimateId) void softly(() => openEstimate(estimateId));
  }, [estimateId]);
  const text = orderWords.value;
  const shown = (/** @type {string | number} */ value) => amount(value, currency.value, wordsLanguage.value);
  const limit = priceLimit === undefined ? null : text.limitIs(shown(priceLimit));
  if (!estimateId) return limit && section({ class: "panel" }, b({}, limit));
  const found = estimate(estimateId).value;
  const total = totals(estimateId).value?.total;
  const isKnown = total !== undefined && priceLimit !== undefined;
  const isOver = isKnown ? Number(total) > priceLimit : exceedsLimit;
  return section(
    { class: "panel" },
    detailsTag(
      { class: "more" },
      heading(total === undefined ? "" : shown(total)),
      found && lines(found, totals(estimateId).value?.lines ?? []),
      actionButton({ label: text.openEstimate, icon: "receipt-text", href: `/estimates/${estimateId}` }),
    ),
    limit && b({}, limit),
    isOver &&
      warning(estimateId, isKnown ? text.overLimit(shown(total), shown(priceLimit)) : text.overLimitUnknown),
  );
}

/** @param {string} total */
function heading(total) {
  return summary(
    {},
    span({}, orderWords.value.fromEstimate),
    total && b({ class: "figures" }, total),
    icon("chevron-down"),
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
