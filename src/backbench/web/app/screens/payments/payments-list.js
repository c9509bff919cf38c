// Payments of an order: each with its receipt; a wrong one is voided with a reason.

import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import { sheet } from "../../components/sheet.js";
import { b, component, div, h3, li, p, span, ul } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { address } from "../../api/early.js";
import { amount, shortDate } from "../../domain/format.js";
import { words, wordsLanguage } from "../../words/words.js";
import { paymentWords } from "../../words/payments.js";
import { openFile } from "../../local/system.js";
import { drop, items } from "../../state/outbox.js";
import { paymentsOf, voidPayment } from "../../state/payments.js";
import { useState } from "../../vendor/hooks.js";

/** @param {{ orderId: string }} props */
export function PaymentsList({ orderId }) {
  const [voided, setVoided] = useState(/** @type {Api.Payment | null} */ (null));
  const payments = paymentsOf(orderId);
  if (!payments.length) return null;
  return div(
    { class: "stack" },
    h3({}, paymentWords.value.list),
    ul(
      { class: "payments" },
      ...payments.map((payment) =>
        li({ key: payment.id, class: payment.voidedAt ? "void" : undefined }, row(payment, setVoided))
      ),
    ),
    voided && component(VoidSheet, { orderId, payment: voided, onClose: () => setVoided(null) }),
  );
}

/** @param {Api.Payment} payment @param {(payment: Api.Payment) => void} onVoid */
function row(payment, onVoid) {
  const text = paymentWords.value;
  const language = wordsLanguage.value;
  const sign = payment.kind === "refund" ? "\u2212" : "";
  const facts = [text.methods[payment.method], shortDate(payment.receivedOn, language), payment.note].filter(
    Boolean,
  );
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
