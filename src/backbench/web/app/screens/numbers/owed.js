// Owed: the orders that were collected and are not paid, each with its amount.

import { frame } from "../../components/frame.js";
import { linkRow, linkRows } from "../../components/link-row.js";
import { notYet, useAnswer } from "../../components/answer.js";
import { component, div, p } from "../../components/tags.js";
import { amount, shortDate } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { paymentWords } from "../../words/payments.js";
import { loadOwed } from "../../state/payments.js";
import { workshopId } from "../../state/workshops.js";

export function screen() {
  const { title } = paymentWords.value.numbers.owed;
  return frame({ title, place: "shop", back: "/shop/numbers" }, component(Owed, {}));
}

function Owed() {
  const answered = useAnswer(loadOwed, workshopId.value);
  const orders = answered.data;
  const text = paymentWords.value.numbers.owed;
  return div(
    { class: "stack" },
    p({ class: "quiet-text" }, text.intro),
    notYet(answered),
    orders && (orders.length ? linkRows({}, ...orders.map(row)) : p({}, text.none)),
  );
}

/** @param {Api.OrderSummary} order */
function row({ orderId, number, title, customerName, collectedAt = "", due }) {
  const language = wordsLanguage.value;
  const { collected } = paymentWords.value.numbers.owed;
  return linkRow({
    href: `/orders/${orderId}`,
    title: `${number} · ${title}`,
    detail: [customerName, collected(shortDate(collectedAt, language))].filter(Boolean).join(" · "),
    badge: due && amount(due.amount, due.currency, language),
  });
}
