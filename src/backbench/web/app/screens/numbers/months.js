// Months: what was agreed and received, as bars to look at, which are the rows of a table to read.

import { choice } from "../../components/controls.js";
import {
  a,
  caption,
  component,
  div,
  h2,
  section,
  span,
  table,
  tbody,
  td,
  th,
  thead,
  tr,
} from "../../components/tags.js";
import { amount, localeOf } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { paymentWords } from "../../words/payments.js";
import { useState } from "../../vendor/hooks.js";

/** Amounts of different currencies are never drawn beside each other. @param {{ months: Api.MonthNumbers[] }} props */
export function Months({ months }) {
  const used = currenciesOf(months);
  const [picked, setPicked] = useState("");
  const currency = used.includes(picked) ? picked : used.at(0);
  const text = paymentWords.value.numbers;
  if (!currency) return null;
  return section(
    { class: "stack" },
    h2({}, text.months),
    used.length > 1 && choice({
      label: text.currency,
      value: currency,
      options: used.map((value) => ({ value, label: value })),
      onChange: setPicked,
    }),
    div({ class: "panel months" }, tableOf(months, currency)),
  );
}

/** @param {Api.MonthNumbers[]} months */
function currenciesOf(months) {
  const sums = months.flatMap(({ agreed, received }) => [...agreed.sums, ...received.sums]);
  return [...new Set(sums.map(({ currency }) => currency))];
}

/** @param {Api.MonthNumbers[]} months @param {string} currency */
function tableOf(months, currency) {
  const text = paymentWords.value.numbers;
  const most = Math.max(
    ...months.flatMap(({ agreed, received }) => [sumIn(agreed, currency), sumIn(received, currency)]),
    1,
  );
  return table(
    {},
    caption({ class: "spoken" }, text.plot),
    thead(
      {},
      tr({}, ...[text.month, text.agreed, text.received].map((label) => th({ scope: "col" }, label))),
    ),
    tbody(
      {},
      ...[...months].reverse().map((month) => component(Row, { key: month.month, month, currency, most })),
    ),
  );
}

/** @param {{ month: Api.MonthNumbers, currency: string, most: number }} props */
function Row({ month, currency, most }) {
  const cell = (/** @type {Api.CountedSums} */ counted, /** @type {string} */ kind) => {
    const value = sumIn(counted, currency);
    return td(
      {},
      value > 0 && span({
        class: `bar ${kind}`,
        style: { width: `${value / most * 100}%` },
        "aria-hidden": "true",
      }),
      span({ class: "figures" }, value ? amount(value, currency, wordsLanguage.value) : "–"),
    );
  };
  return tr(
    {},
    th({ scope: "row" }, a({ href: `/shop/numbers/${month.month}` }, monthName(month.month))),
    cell(month.agreed, "agreed"),
    cell(month.received, "received"),
  );
}

/** @param {Api.CountedSums} counted @param {string} currency */
function sumIn({ sums }, currency) {
  return sums.find((each) => each.currency === currency)?.amount ?? 0;
}

/** @param {string} month YYYY-MM */
export function monthName(month) {
  const options = /** @type {const} */ ({ month: "short", year: "numeric", timeZone: "UTC" });
  return new Intl.DateTimeFormat(localeOf(wordsLanguage.value), options).format(
    new Date(`${month}-15T00:00:00Z`),
  );
}
