// Invoices of an order: those that there are, and what can be made next. Making one needs the server.

import { actionButton } from "../../components/action-button.js";
import { isOnline, needsConnection, useCommand } from "../../components/command.js";
import { linkRow, linkRows } from "../../components/link-row.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { component, div, h2, p, span } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { minorDigits } from "../../domain/currencies.js";
import { amount, change, shortDate } from "../../domain/format.js";
import { isLocal } from "../../domain/ids.js";
import { nextKinds, priceOf, stateOf } from "../../domain/invoices.js";
import { shown, typed } from "../../domain/numbers.js";
import { follow, invoicesOf, loadInvoicesOf, makeInvoice } from "../../state/invoices.js";
import { detailsOf } from "../../state/order-details.js";
import { moneyOf } from "../../state/payments.js";
import { clock } from "../../state/tickets.js";
import { currency, documentSettings, tilePrices } from "../../state/workshops.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { invoiceWords } from "../../words/invoices.js";
import { wordsLanguage } from "../../words/words.js";

/** @typedef {Api.NewInvoice["kind"]} NewKind */

/** @param {{ order: Api.Order }} props */
export function part({ order }) {
  useEffect(() => {
    void loadInvoicesOf(order.id);
    return follow(() => [order.id], () => loadInvoicesOf(order.id));
  }, [order.id]);
  const all = invoicesOf(order.id);
  // What a client has accepted can be invoiced ahead, all else once it is made.
  const isAgreed = moneyOf(order.id).source === "accepted" || order.status === "done";
  if (isLocal(order.id) || !(all.length || isAgreed)) return null;
  const text = invoiceWords.value;
  return div(
    { class: "stack" },
    h2({}, text.title),
    all.length > 0 && linkRows({}, ...all.map((one) => invoiceRow(one, false))),
    isAgreed && component(Making, { order, kinds: nextKinds(all) }),
  );
}

/** @param {Api.Invoice} invoice @param {boolean} [hasBuyer] whether it says whom it is for */
export function invoiceRow(invoice, hasBuyer = true) {
  const { id, number, kind, currency, total, toPay, corrects, issueDate, dueDate, buyer } = invoice;
  const text = invoiceWords.value;
  const language = wordsLanguage.value;
  const state = stateOf(invoice, clock.value.today);
  const sum = corrects && toPay === 0
    ? change(corrects.difference.total, currency, language)
    : amount(toPay > 0 ? toPay : total, currency, language);
  const day = toPay > 0 && dueDate
    ? text.dueBy(shortDate(dueDate, language))
    : issueDate && shortDate(issueDate, language);
  return linkRow({
    href: `/invoices/${id}`,
    title: number?.replaceAll(" ", "\u00a0") ?? text.kinds[kind],
    detail: [hasBuyer && buyer.name, number && text.kinds[kind], day].filter(Boolean).join(" · "),
    badge: span({ class: "invoice-end" }, span({ class: "figures" }, sum), badge(state)),
  });
}

/** @param {import("../../domain/invoices.js").State} state */
export const badge = (state) => span({ class: `badge ${state}` }, invoiceWords.value.states[state]);

/** @param {{ order: Api.Order, kinds: NewKind[] }} props */
function Making({ order, kinds }) {
  const [isAsking, ask] = useState(false);
  const { said, doing, run } = useCommand();
  const text = invoiceWords.value;
  if (!kinds.length) return null;
  const make = (/** @type {NewKind} */ kind) =>
    void run(async (go) => go(`/invoices/${await makeInvoice(order.id, bodyOf(order, kind))}`), kind);
  return div(
    { class: "stack" },
    div(
      { class: "order-ways" },
      ...kinds.map((kind) =>
        actionButton({
          label: text.make[kind],
          icon: "file-text",
          disabled: !isOnline(),
          busy: doing === kind,
          onClick: () => kind === "advance" ? ask(true) : make(kind),
        })
      ),
    ),
    !isOnline() && p({ class: "quiet-text" }, text.makeOffline),
    said && p({ class: "field-problem", role: "alert" }, said),
    isAsking && component(AdvanceSheet, { order, onClose: () => ask(false) }),
  );
}

/** Of an order without an estimate there is one line with the agreed price, to be changed on the draft. @param {Api.Order} order @param {NewKind} kind @param {string} [amount] @returns {Api.NewInvoice} */
function bodyOf({ id, title }, kind, amount) {
  const asked = amount === undefined ? {} : { amount: Number(amount) };
  if (detailsOf(id).estimateId) return { kind, ...asked };
  const { taxKind = "rate", taxPercent } = documentSettings.peek() ?? {};
  const rate = taxKind === "rate" ? taxPercent : undefined;
  const unitPrice = priceOf(moneyOf(id).agreed ?? "0", tilePrices.peek(), rate, currency.peek());
  return { kind, ...asked, lines: [{ label: title, unit: "job", quantity: 1, unitPrice }] };
}

const MOST = { least: "0", most: "1000000000" };

/** Filled in with the deposit, where one was asked for. @param {{ order: Api.Order, onClose: () => void }} props */
function AdvanceSheet({ order, onClose }) {
  const money = moneyOf(order.id);
  const [value, setValue] = useState(money.deposit ? shown(money.deposit.amount, wordsLanguage.value) : "");
  const { said, busy, run } = useCommand();
  const text = invoiceWords.value;
  const found = typed(value, MOST, wordsLanguage.value);
  const isPrecise = (found.value?.split(".")[1] ?? "").length <= minorDigits(money.currency);
  const isRight = found.value !== null && Number(found.value) > 0 && isPrecise;
  const problem = isRight || !value ? "" : isPrecise ? text.wrongAmount : text.tooPrecise;
  const make = () =>
    void run(async (go) =>
      go(`/invoices/${await makeInvoice(order.id, bodyOf(order, "advance", found.value ?? "0"))}`)
    );
  return sheet(
    {
      title: text.kinds.advance,
      onClose,
      foot: actionButton({
        label: text.makeAdvance,
        kind: "main",
        wide: true,
        busy,
        disabled: !isRight || !isOnline(),
        onClick: make,
      }),
      problem: said && notice({ kind: "warning", text: said }),
    },
    textField({
      label: text.amount,
      help: text.amountHelp,
      value,
      inputMode: "decimal",
      autocomplete: "off",
      autofocus: true,
      onInput: setValue,
      ...(problem ? { problem } : {}),
    }),
    needsConnection(),
  );
}
