// Money of an order: agreed, paid and due; a payment in two taps, the code to pay, and what was recorded.

import { address } from "../../api/early.js";
import { isProblem } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { isOnline, needsConnection } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { b, component, dd, div, dl, dt, h2, h3, img, li, p, span, ul } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { minorDigits } from "../../domain/currencies.js";
import { amount, shortDate } from "../../domain/format.js";
import { isLocal } from "../../domain/ids.js";
import { openFile } from "../../local/system.js";
import { drop, items, replica } from "../../state/outbox.js";
import { followMoney, moneyOf, paymentRequest, paymentsOf, voidPayment } from "../../state/payments.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { paymentWords } from "../../words/payments.js";
import { words, wordsLanguage } from "../../words/words.js";
import { copied } from "../send/clipboard.js";
import { PaymentSheet } from "./payment-sheet.js";
/** @typedef {import("../../domain/balance.js").Money} MoneyOf */

/** @param {{ order: Api.Order }} props */
export function Money({ order }) {
  const [sheet, setSheet] = useState(/** @type {"" | "payment" | "code"} */ (""));
  useEffect(() => followMoney(order.id), [order.id]);
  const money = moneyOf(order.id);
  const text = paymentWords.value;
  const close = () => setSheet("");
  const isDue = Number(money.due ?? 0) > 0;
  return div(
    { class: "stack money" },
    h2({}, text.title),
    sums(money) ?? expected(order.id),
    div(
      { class: "order-contact" },
      actionButton({ label: text.add, icon: "wallet", kind: "plain", onClick: () => setSheet("payment") }),
      isDue && !isLocal(order.id) &&
        actionButton({ label: text.showCode, icon: "smartphone", onClick: () => setSheet("code") }),
    ),
    component(PaymentsList, { orderId: order.id }),
    sheet === "payment" && component(PaymentSheet, { orderId: order.id, money, onClose: close }),
    sheet === "code" && component(PaySheet, { orderId: order.id, money, onClose: close }),
  );
}

/** @param {MoneyOf} money */
function sums({ agreed, source, paid, overpaid, deposit, currency }) {
  const text = paymentWords.value;
  const shown = (/** @type {string} */ value) => amount(value, currency, wordsLanguage.value);
  if (agreed === undefined && Number(paid) === 0) return null;
  return dl(
    { class: "money-sums" },
    agreed !== undefined && row(text.agreed, shown(agreed), text.sources[source]),
    deposit && row(text.deposit(""), shown(deposit.amount), text.depositPaid(shown(deposit.paid))),
    row(text.paid, shown(paid)),
    overpaid && row(text.overpaid, shown(overpaid), "", "due-sum"),
  );
}

/** The place of the sums until they are there: what the board knows of them. @param {string} id */
function expected(id) {
  const { agreed } = replica.views.orderSummary.get(id) ?? {};
  if (!agreed) return null;
  const text = paymentWords.value;
  const source = text.sources[agreed.accepted ? "accepted" : "confirmed"];
  return dl(
    { class: "money-sums" },
    row(text.agreed, amount(agreed.total, agreed.currency, wordsLanguage.value), source),
    row(text.paid, "…"),
  );
}

/** @param {string} label @param {string} value @param {string} [detail] @param {string} [mark] */
function row(label, value, detail = "", mark = "") {
  return div(
    { class: mark || undefined },
    dt({}, label, detail && span({ class: "quiet-text" }, ` ${detail}`)),
    dd({ class: "figures" }, b({}, value)),
  );
}

// Pay sheet: the code as large as the screen allows, and beside it what a transfer needs, each to copy.

/** @param {{ orderId: string, money: MoneyOf, onClose: () => void }} props */
function PaySheet({ orderId, money, onClose }) {
  const [request, setRequest] = useState(/** @type {Api.PaymentRequest | null} */ (null));
  const [note, setNote] = useState("");
  // Again whenever the amount changes: a payment may come in while the code is shown.
  useEffect(() => {
    paymentRequest(orderId).then(setRequest, (error) => {
      if (!isProblem(error)) throw error;
    });
  }, [orderId, money.due]);
  const text = paymentWords.value.pay;
  const due = request ?? { due: Number(money.due ?? 0), currency: money.currency };
  return sheet(
    { title: text.title, onClose },
    p({ class: "pay-amount figures" }, b({}, amount(due.due, due.currency, wordsLanguage.value))),
    needsConnection(),
    request?.code && code(orderId, request),
    request && !request.code && notice({ kind: "plain", text: request.iban ? text.noCode : text.noAccount }),
    request?.link &&
      actionButton({ label: text.link, icon: "external-link", wide: true, href: request.link }),
    request?.iban && transfer({ ...request, iban: request.iban }, setNote),
    p({ class: "quiet-text", role: "status" }, note),
  );
}

/** @param {string} orderId @param {Api.PaymentRequest} request */
function code(orderId, { due }) {
  const text = paymentWords.value.pay;
  // The amount is in the address, so that no browser shows a code of another one.
  const src = address(`/orders/${orderId}/payment-code`, { due });
  return div(
    { class: "pay-code" },
    img({ key: src, src, alt: text.code }),
    p({ class: "quiet-text" }, text.scan),
  );
}

/** As the form of a bank takes it: without a sign for thousands. @param {number} due @param {string} currency */
function typedAmount(due, currency) {
  const text = due.toFixed(minorDigits(currency));
  return wordsLanguage.value === "pl" ? text.replace(".", ",") : text;
}

/** @param {Api.PaymentRequest & { iban: string }} request @param {(note: string) => void} say */
function transfer({ due, currency, iban, accountName = "", title = "" }, say) {
  const text = paymentWords.value.pay;
  const rows = [
    [text.iban, iban.match(/.{1,4}/g)?.join(" ") ?? iban, iban],
    [text.amount, amount(due, currency, wordsLanguage.value), typedAmount(due, currency)],
    [text.reference, title, title],
    [text.name, accountName, accountName],
  ];
  return dl(
    { class: "pay-transfer" },
    ...rows.map(([label = "", shown = "", value = ""]) =>
      div(
        {},
        dt({ class: "quiet-text" }, label),
        dd({ class: "figures" }, shown),
        actionButton({
          label: text.copy(label),
          icon: "copy",
          iconOnly: true,
          kind: "quiet",
          onClick: () => void copied(value).then(() => say(`${text.copied}: ${label}`)),
        }),
      )
    ),
  );
}

// Payments of an order: each with its receipt; a wrong one is voided with a reason.

/** @param {{ orderId: string }} props */
function PaymentsList({ orderId }) {
  const [voided, setVoided] = useState(/** @type {Api.Payment | null} */ (null));
  const payments = paymentsOf(orderId);
  if (!payments.length) return null;
  return div(
    { class: "stack" },
    h3({}, paymentWords.value.list),
    ul(
      { class: "payments" },
      ...payments.map((payment) =>
        li({ key: payment.id, class: payment.voidedAt ? "void" : undefined }, paymentRow(payment, setVoided))
      ),
    ),
    voided && component(VoidSheet, { orderId, payment: voided, onClose: () => setVoided(null) }),
  );
}

/** @param {Api.Payment} payment @param {(payment: Api.Payment) => void} onVoid */
function paymentRow(payment, onVoid) {
  const text = paymentWords.value;
  const language = wordsLanguage.value;
  const sign = payment.kind === "refund" ? "\u2212" : "";
  const number = payment.number?.replace(" ", "\u00a0");
  const received = shortDate(payment.receivedOn, language);
  const facts = [text.methods[payment.method], received, number, payment.note].filter(Boolean);
  return [
    div(
      { class: "payment-line" },
      span({}, b({}, text.kinds[payment.kind]), span({ class: "quiet-text" }, ` ${facts.join(" · ")}`)),
      b({ class: "figures" }, sign + amount(payment.amount, payment.currency, language)),
    ),
    payment.voidedAt
      ? p({ class: "quiet-text" }, `${text.voided}: ${payment.reason ?? ""}`)
      : ways(payment, onVoid),
  ];
}

/** @param {Api.Payment} payment @param {(payment: Api.Payment) => void} onVoid */
function ways(payment, onVoid) {
  const text = paymentWords.value;
  if (items.value.some(({ key }) => key === payment.id)) {
    return div(
      { class: "row quiet-text" },
      words.value.common.connection.notSentYet,
      actionButton({ label: text.takeBack, kind: "quiet", onClick: () => drop(payment.id) }),
    );
  }
  const receipt = () => openFile(address(`/payments/${payment.id}/receipt`, { locale: wordsLanguage.value }));
  return div(
    { class: "row" },
    actionButton({
      label: text.receipt,
      icon: "file-text",
      kind: "quiet",
      disabled: !isOnline(),
      onClick: receipt,
    }),
    actionButton({ label: text.void, kind: "quiet", onClick: () => onVoid(payment) }),
  );
}

/** @param {{ orderId: string, payment: Api.Payment, onClose: () => void }} props */
function VoidSheet({ orderId, payment, onClose }) {
  const [reason, setReason] = useState("");
  const text = paymentWords.value;
  const isMissing = reason.trim() === "";
  const save = () => {
    voidPayment(orderId, payment.id, reason.trim());
    onClose();
  };
  return sheet(
    {
      title: text.voidTitle,
      onClose,
      foot: actionButton({
        label: text.void,
        kind: "danger",
        isFinal: true,
        wide: true,
        disabled: isMissing,
        onClick: save,
      }),
    },
    p({}, text.voidHelp),
    textField({ label: text.reason, value: reason, maxLength: 250, autofocus: true, onInput: setReason }),
  );
}
