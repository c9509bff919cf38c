// Numbers: one quiet page. Each is a statement, and leads to its list.

import { actionButton } from "../components/action-button.js";
import { frame } from "../components/frame.js";
import { linkRow, linkRows } from "../components/link-row.js";
import { notYet, useAnswer } from "../components/answer.js";
import { component, div, h2, p, section } from "../components/tags.js";
import { address } from "../api/early.js";
import { amount } from "../domain/format.js";
import { wordsLanguage } from "../words/words.js";
import { paymentWords } from "../words/payments.js";
import { loadNumbers } from "../state/payments.js";
import { workshopId } from "../state/workshops.js";
import { Months } from "./numbers/months.js";

const FEW = 5;

export function screen() {
  return frame(
    { title: paymentWords.value.numbers.title, place: "shop", back: "/shop" },
    component(Page, {}),
  );
}

function Page() {
  const id = workshopId.value;
  const answered = useAnswer(loadNumbers, id);
  const numbers = answered.data;
  const text = paymentWords.value.numbers;
  return div(
    { class: "stack" },
    p({ class: "quiet-text" }, text.intro),
    notYet(answered),
    numbers && statements(numbers),
    numbers && component(Months, { months: numbers.months }),
    numbers && files(id),
  );
}

/** @param {Api.WorkshopNumbers} numbers */
function statements({ openEstimates, decided, months, late, ready, owed }) {
  const text = paymentWords.value.numbers;
  const all = decided.accepted + decided.declined;
  const present = months.at(-1);
  const share = all ? Math.round(decided.accepted / all * 100) : 0;
  return linkRows(
    {},
    statement(
      "/shop/numbers/owed",
      owed.count ? text.owed.by(sumsText(owed), owed.customers) : text.owed.none,
    ),
    present &&
      statement(`/shop/numbers/${present.month}`, text.thisMonth(sumsText(present.received) || text.nothing)),
    statement("/estimates?stage=open", text.open(openEstimates.count, sumsText(openEstimates))),
    // Of a few a percentage says nothing.
    all >= FEW && statement("/estimates?stage=accepted", text.decided(decided.accepted, all, share)),
    statement("/?show=open", text.late(late)),
    statement("/?show=done", text.ready(ready)),
  );
}

/** @param {string} href @param {string} title */
const statement = (href, title) => linkRow({ href, title });

/** The sums, one for each currency. @param {Api.CountedSums} counted */
function sumsText({ sums }) {
  return sums.map((each) => amount(each.amount, each.currency, wordsLanguage.value)).join(" + ");
}

/** @param {string} id */
function files(id) {
  const text = paymentWords.value.numbers;
  const locale = wordsLanguage.value;
  const file = (/** @type {string} */ name, /** @type {string} */ label) =>
    actionButton({
      label,
      icon: "download",
      href: address(`/workshops/${id}/${name}.csv`, { locale }),
      download: `${name}.csv`,
    });
  return section(
    { class: "stack" },
    h2({}, text.csv),
    div(
      { class: "order-ways" },
      file("numbers", text.csvMonths),
      file("payments", text.csvPayments),
      file("invoices", text.csvInvoices),
      file("orders", text.csvOrders),
      file("customers", text.csvCustomers),
      file("tiles", text.csvTiles),
    ),
  );
}
