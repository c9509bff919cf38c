// Payment sheet: filled in with what is due, so that recording it is one more tap.

import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/controls.js";
import { sheet } from "../../components/sheet.js";
import { details, div, summary } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { minorDigits } from "../../domain/currencies.js";
import { decimal } from "../../domain/decimals.js";
import { amount as formatted } from "../../domain/format.js";
import { typed } from "../../domain/numbers.js";
import { methodsOf } from "../../domain/balance.js";
import { isDay } from "../../domain/invoices.js";
import { errorWords } from "../../words/errors.js";
import { wordsLanguage } from "../../words/words.js";
import { paymentWords } from "../../words/payments.js";
import { recordPayment } from "../../state/payments.js";
import { clock } from "../../state/tickets.js";
import { offerDrop } from "../../state/undo.js";
import { useState } from "../../vendor/hooks.js";

/** @typedef {import("../../domain/balance.js").Money} Money */
/** @typedef {{kind: Api.NewPayment["kind"], method: Api.NewPayment["method"], amount: string, receivedOn: string, note: string}} Fields */
/** What was chosen and typed. The rest is proposed by what is known now. @typedef {Partial<Omit<Fields, "amount">> & { amount?: string | undefined }} Chosen */

const KINDS = /** @type {const} */ (["deposit", "payment", "refund"]);
const MOST = { least: "0", most: "1000000000" };
/** The way of the last payment on this device is the first to be offered. @type {Api.NewPayment["method"]} */
let usual = "cash";

/** @param {{ orderId: string, money: Money, onClose: () => void }} props */
export function PaymentSheet({ orderId, money, onClose }) {
  const [chosen, setChosen] = useState(/** @type {Chosen} */ ({}));
  const begun = begin(money, chosen.kind);
  const [proposal] = useState(begun.amount);
  const fields = { ...begun, ...chosen, amount: chosen.amount ?? begun.amount };
  const set = (/** @type {Chosen} */ some) => setChosen({ ...chosen, ...some });
  const text = paymentWords.value;
  const { value, problem } = checked(fields.amount, fields.kind, money);
  const sum = value === null ? "" : formatted(value, money.currency, wordsLanguage.value);
  const save = () => {
    if (value === null) return;
    recorded(orderId, fields, value, sum);
    onClose();
  };
  return sheet(
    {
      title: text.add,
      onClose,
      foot: actionButton({
        label: text.save(sum),
        kind: "main",
        wide: true,
        // A sum that has changed by itself has to be seen before it is pressed.
        isFinal: chosen.amount === undefined && begun.amount !== proposal,
        disabled: value === null || !isDay(fields.receivedOn),
        onClick: save,
      }),
    },
    ...inputs(fields, problem, money, set),
    more(fields, set),
  );
}

/** Offers to take it back. @param {string} orderId @param {Fields} fields @param {string} value @param {string} sum as it is shown */
function recorded(orderId, { kind, method, receivedOn, note }, value, sum) {
  usual = method;
  const key = recordPayment(orderId, {
    kind,
    amount: Number(value),
    method,
    receivedOn,
    ...(note.trim() ? { note: note.trim() } : {}),
  });
  offerDrop(paymentWords.value.recorded(sum), key);
}

/** @param {Fields} fields @param {string} problem @param {Money} money @param {(some: Chosen) => void} set */
function inputs({ amount, method, kind }, problem, money, set) {
  const text = paymentWords.value;
  return [
    textField({
      label: text.amount,
      value: amount,
      inputMode: "decimal",
      autocomplete: "off",
      onInput: (value) => set({ amount: value }),
      ...(problem && amount ? { problem } : {}),
    }),
    choice({
      label: text.method,
      value: method,
      options: methodsOf(money.currency).map((value) => ({ value, label: text.methods[value] })),
      onChange: (value) => set({ method: value }),
    }),
    choice({
      label: text.kind,
      value: kind,
      options: KINDS.map((value) => ({ value, label: text.kinds[value] })),
      // With the amount of this kind.
      onChange: (value) => set({ kind: value, amount: undefined }),
    }),
  ];
}

/** @param {Money} money @param {Fields["kind"]} [chosen] @returns {Fields} */
function begin(money, chosen) {
  const isDeposit = Number(money.deposit?.left ?? 0) > 0;
  const kind = chosen ?? (isDeposit ? "deposit" : "payment");
  return {
    kind,
    method: methodsOf(money.currency).includes(usual) ? usual : "cash",
    amount: proposed(kind, money),
    receivedOn: clock.peek().today,
    note: "",
  };
}

/** @param {Api.NewPayment["kind"]} kind @param {Money} money */
function proposed(kind, { due, deposit, overpaid }) {
  const value = kind === "refund" ? overpaid : kind === "deposit" ? deposit?.left ?? due : due;
  if (!value || Number(value) <= 0) return "";
  return wordsLanguage.value === "pl" ? value.replace(".", ",") : value;
}

/** @param {string} amount @param {Api.NewPayment["kind"]} kind @param {Money} money @returns {{value: string, problem: ""} | {value: null, problem: string}} */
function checked(amount, kind, { currency, paid }) {
  const text = paymentWords.value;
  const found = typed(amount, MOST, wordsLanguage.value);
  if (found.value === null || decimal(found.value) === 0n) return { value: null, problem: text.wrongAmount };
  const digits = minorDigits(currency);
  if ((found.value.split(".")[1] ?? "").length > digits) {
    return { value: null, problem: text.tooPrecise(digits) };
  }
  if (kind === "refund" && decimal(found.value) > decimal(paid)) {
    return { value: null, problem: text.tooMuch };
  }
  return { value: found.value, problem: "" };
}

/** @param {{receivedOn: string, note: string}} fields @param {(some: {receivedOn?: string, note?: string}) => void} set */
function more({ receivedOn, note }, set) {
  const text = paymentWords.value;
  return details(
    { class: "more" },
    summary({}, text.more),
    div(
      { class: "stack" },
      textField({
        label: text.receivedOn,
        type: "date",
        value: receivedOn,
        onInput: (value) => set({ receivedOn: value }),
        ...(receivedOn && !isDay(receivedOn) ? { problem: errorWords.value.fields.year } : {}),
      }),
      textField({ label: text.note, value: note, maxLength: 250, onInput: (value) => set({ note: value }) }),
    ),
  );
}
