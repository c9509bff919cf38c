// Money of an order: agreed, paid and due; a payment in two taps, the code to pay, and what was recorded.

import { actionButton } from "../../components/action-button.js";
import { b, component, dd, div, dl, dt, h2, section, span } from "../../components/tags.js";
import { BOUNDS } from "../../domain/numbers.js";
import { isLocal } from "../../domain/ids.js";
import { amount } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { paymentWords } from "../../words/payments.js";
import { conflictChoice } from "../../components/conflict-choice.js";
import { agreePrice, followMoney, moneyOf } from "../../state/payments.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { numberField } from "../builder/number-field.js";
import { PaymentSheet } from "./payment-sheet.js";
import { PaymentsList } from "./payments-list.js";
import { PaySheet } from "./pay-sheet.js";

/** @typedef {import("../../domain/balance.js").Money} MoneyOf */

/** @param {{ order: Api.Order }} props */
export function Money({ order }) {
  const [sheet, setSheet] = useState(/** @type {"" | "payment" | "code"} */ (""));
  useEffect(() => followMoney(order.id), [order.id]);
  const money = moneyOf(order.id);
  const text = paymentWords.value;
  const close = () => setSheet("");
  const isDue = Number(money.due ?? 0) > 0;
  return section(
    { class: "panel money" },
    h2({}, text.title),
    sums(money),
    (money.source === "none" || money.source === "entered") && priceField(order.id, money),
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
function sums({ agreed, source, paid, due, overpaid, deposit, currency }) {
  const text = paymentWords.value;
  const shown = (/** @type {string} */ value) => amount(value, currency, wordsLanguage.value);
  if (agreed === undefined && Number(paid) === 0) return null;
  return dl(
    { class: "money-sums" },
    agreed !== undefined && row(text.agreed, shown(agreed), text.sources[source]),
    deposit && row(text.deposit(""), shown(deposit.amount), text.depositPaid(shown(deposit.paid))),
    row(text.paid, shown(paid)),
    due !== undefined && Number(due) > 0 && row(text.due, shown(due), "", "due-sum"),
    due !== undefined && Number(due) === 0 && !overpaid && row(text.nothingDue, "✓", "", "paid-sum"),
    overpaid && row(text.overpaid, shown(overpaid), "", "due-sum"),
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

/** @param {string} id @param {MoneyOf} money */
function priceField(id, { agreed }) {
  const text = paymentWords.value;
  return div(
    { class: "stack" },
    numberField({
      label: text.setPrice,
      value: agreed === undefined ? undefined : Number(agreed),
      bounds: BOUNDS.unitPrice,
      help: text.setPriceHelp,
      onValue: (value) => agreePrice(id, value),
    }),
    conflictChoice({ objectId: id, part: "agreed", field: "agreed" }),
  );
}
