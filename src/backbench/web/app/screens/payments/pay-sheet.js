// Pay sheet: the code as large as the screen allows, and beside it what a transfer needs, each to copy.

import { actionButton } from "../../components/action-button.js";
import { needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { b, dd, div, dl, dt, img, p } from "../../components/tags.js";
import { address } from "../../api/early.js";
import { isProblem } from "../../api/problems.js";
import { minorDigits } from "../../domain/currencies.js";
import { amount } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { paymentWords } from "../../words/payments.js";
import { paymentRequest } from "../../state/payments.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { copied } from "../send/clipboard.js";

/** @typedef {import("../../domain/balance.js").Money} Money */

/** @param {{ orderId: string, money: Money, onClose: () => void }} props */
export function PaySheet({ orderId, money, onClose }) {
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
