// Month: the list of what was agreed and received in it.

import { frame } from "../../components/frame.js";
import { linkRow, linkRows } from "../../components/link-row.js";
import { notYet, useAnswer } from "../../components/answer.js";
import { component, div, h2, p, section } from "../../components/tags.js";
import { amount, shortDate } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { paymentWords } from "../../words/payments.js";
import { loadMonth } from "../../state/payments.js";
import { monthName } from "./months.js";

/** @typedef {Awaited<ReturnType<typeof loadMonth>>} Entries */

/** @type {Entries} */
const NOTHING = { agreed: [], payments: [] };

/** @param {{ params: Readonly<Record<string, string>> }} props */
export function screen({ params }) {
  const { month = "" } = params;
  const text = paymentWords.value.numbers;
  return frame({ title: text.title, place: "shop", back: "/shop/numbers" }, component(Month, { month }));
}

/** @param {{ month: string }} props */
function Month({ month }) {
  const isMonth = /^\d{4}-\d\d$/.test(month);
  const answered = useAnswer(
    async () => isMonth ? await loadMonth(`${month}-01`, lastDay(month)) : NOTHING,
    month,
  );
  const entries = answered.data;
  const text = paymentWords.value.numbers;
  return div(
    { class: "stack" },
    p({}, isMonth ? text.of(monthName(month)) : ""),
    notYet(answered),
    entries && part(text.received, entries.payments.filter((each) => !each.voidedAt).map(received)),
    entries && part(text.agreed, entries.agreed.map(agreed)),
  );
}

/** @param {string} month */
function lastDay(month) {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** @param {string} title @param {any[]} rows */
function part(title, rows) {
  return section(
    { class: "stack" },
    h2({}, title),
    rows.length ? linkRows({}, ...rows) : p({ class: "quiet-text" }, paymentWords.value.numbers.noEntries),
  );
}

/** @param {Entries["payments"][number]} payment */
function received(payment) {
  const { kinds, methods } = paymentWords.value;
  const sign = payment.kind === "refund" ? "\u2212" : "";
  const language = wordsLanguage.value;
  return linkRow({
    href: `/orders/${payment.orderId}`,
    title: `${kinds[payment.kind]} · ${methods[payment.method]}`,
    detail: [shortDate(payment.receivedOn, language), payment.note].filter(Boolean).join(" · "),
    badge: sign + amount(payment.amount, payment.currency, language),
  });
}

/** @param {Entries["agreed"][number]} entry */
function agreed(entry) {
  const language = wordsLanguage.value;
  return linkRow({
    href: entry.orderId ? `/orders/${entry.orderId}` : `/estimates/${entry.estimateId ?? ""}`,
    title: entry.title,
    detail: [entry.name, shortDate(entry.at, language)].filter(Boolean).join(" · "),
    badge: amount(entry.amount, entry.currency, language),
  });
}
