// Figures of an invoice: its lines, which some drafts let edit, the taxes and sums, and what a correction changes.

import { conflict, hasUnreadable, numberField } from "../../components/bound-fields.js";
import { actionButton } from "../../components/action-button.js";
import { selectField } from "../../components/controls.js";
import { sheet } from "../../components/sheet.js";
import {
  b,
  button,
  component,
  dd,
  div,
  dl,
  dt,
  h2,
  icon,
  li,
  section,
  span,
  ul,
} from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { amount, change, percentage, price, quantity } from "../../domain/format.js";
import { enteredLine } from "../../domain/invoices.js";
import { BOUNDS } from "../../domain/numbers.js";
import { UNITS } from "../../domain/units.js";
import { editInvoice } from "../../state/invoices.js";
import { useState } from "../../vendor/hooks.js";
import { invoiceWords } from "../../words/invoices.js";
import { unitOf, words, wordsLanguage } from "../../words/words.js";

/** @typedef {Api.Invoice} Invoice */
/** A line that waits to be sent has no amount yet. @typedef {Omit<Api.InvoiceLine, "amount"> & { amount?: number }} Line */

/** Lines follow the estimate, where there is one; a correction says how they should have been. @param {Invoice} invoice */
const isEditable = ({ state, kind, basis }) =>
  state === "draft" && (kind === "correction" || (!basis && kind !== "advance"));

/** @param {{ invoice: Invoice }} props */
export function Figures({ invoice }) {
  const text = invoiceWords.value;
  return section(
    { class: "panel" },
    h2({}, text.lines),
    isEditable(invoice) ? component(LinesField, { invoice }) : ul(
      { class: "order-lines" },
      ...invoice.lines.map((line, at) => li({ key: at }, lineText(line, invoice))),
    ),
    conflict(invoice, "lines"),
    invoice.corrects ? compared(invoice, invoice.corrects) : sums(invoice),
  );
}

/** @param {Line} line @param {Invoice} invoice */
function lineText({ label, unit, quantity: count, unitPrice, amount: sum, tax }, { currency }) {
  const language = wordsLanguage.value;
  const parts = [
    `${quantity(count, language)} ${unitOf(count, unit)}`,
    unitPrice !== undefined && `× ${price(unitPrice, currency, language)}`,
    tax !== undefined && `· ${taxText(tax)}`,
  ];
  return [
    span({}, label, span({ class: "quiet-text line-parts" }, parts.filter(Boolean).join(" "))),
    span({ class: "figures" }, sum === undefined ? "…" : amount(sum, currency, language)),
  ];
}

/** @param {NonNullable<Api.InvoiceLine["tax"]>} tax */
const taxText = (tax) =>
  typeof tax === "number" ? percentage(tax, wordsLanguage.value) : invoiceWords.value.noRates[tax];

/** Whether the sums are those of the lines: while lines, or the amount of an advance, wait to be sent, they are those before. @param {{ lines: Line[], amount?: number }} invoice */
const isSummed = ({ lines, amount: asked }) =>
  asked === undefined && lines.every(({ amount: sum }) => sum !== undefined);

/** @param {Invoice} invoice */
function sums(invoice) {
  const { currency, subtotal, markup, discount, taxes, net, tax, total } = invoice;
  const { advances = [] } = invoice;
  const text = invoiceWords.value;
  const { money } = words.value.common;
  const isKnown = isSummed(invoice);
  const shown = (/** @type {number} */ value) => isKnown ? amount(value, currency, wordsLanguage.value) : "…";
  const isMoved = Boolean(markup || discount);
  return dl(
    { class: "money-sums" },
    isMoved && row(money.subtotal, shown(subtotal)),
    markup > 0 && row(money.markup, shown(markup)),
    discount > 0 && row(money.discount, `\u2212${shown(discount)}`),
    ...advances.map((one) => row(text.advanceOf(one.number), `\u2212${shown(one.total)}`)),
    tax > 0 && row(money.net, shown(net)),
    ...taxes.map((one) =>
      row(
        one.kind
          ? text.noRates[one.kind]
          : text.rate(one.label ?? money.tax, percentage(one.percent ?? 0, wordsLanguage.value)),
        shown(one.amount),
      )
    ),
    row(money.total, shown(total), "due-sum"),
    covered(invoice),
  );
}

/** What is paid of an issued one, and left to pay. @param {Invoice} invoice */
function covered({ state, paid, toPay, currency }) {
  const text = invoiceWords.value;
  const shown = (/** @type {number} */ value) => amount(value, currency, wordsLanguage.value);
  return state === "issued" &&
    [paid > 0 && row(text.paid, shown(paid)), toPay > 0 && row(text.toPay, shown(toPay))];
}

/** What a correction changes. @param {Invoice} invoice @param {Api.Corrected} corrects */
function compared(invoice, { before, difference }) {
  const { total, currency } = invoice;
  const text = invoiceWords.value;
  const { money } = words.value.common;
  const language = wordsLanguage.value;
  const isKnown = isSummed(invoice);
  const by = (/** @type {number} */ value) =>
    isKnown ? value ? change(value, currency, language) : amount(0, currency, language) : "…";
  return dl(
    { class: "money-sums" },
    row(text.before, amount(before.total, currency, language)),
    row(text.after, isKnown ? amount(total, currency, language) : "…"),
    difference.tax !== 0 && [row(money.net, by(difference.net)), row(money.tax, by(difference.tax))],
    row(text.difference, by(difference.total), "due-sum"),
    covered(invoice),
  );
}

/** @param {string} label @param {string} value @param {string} [mark] */
const row = (label, value, mark = "") =>
  div({ class: mark || undefined }, dt({}, label), dd({ class: "figures" }, b({}, value)));

/** Each change is saved at once. @param {{ invoice: Invoice }} props */
function LinesField({ invoice }) {
  const [opened, setOpened] = useState(-1);
  const text = invoiceWords.value;
  const lines = invoice.lines.map(enteredLine);
  const save = (/** @type {Api.NewInvoiceLine[]} */ changed) =>
    void editInvoice(invoice.id, { lines: changed });
  const line = lines[opened];
  const add = () => {
    save([...lines, { label: text.line, unit: "piece", quantity: 1, unitPrice: 0 }]);
    setOpened(lines.length);
  };
  return div(
    { class: "stack" },
    div(
      { class: "link-rows" },
      ...invoice.lines.map((one, at) =>
        button(
          { key: at, class: "link-row invoice-line", type: "button", onClick: () => setOpened(at) },
          icon("pencil"),
          ...lineText(one, invoice),
        )
      ),
    ),
    div(
      { class: "row" },
      actionButton({ label: text.addLine, icon: "plus", onClick: add }),
      invoice.kind === "correction" && lines.some((one) => one.quantity > 0) &&
        actionButton({
          label: text.nothing,
          kind: "quiet",
          onClick: () => save(lines.map((one) => ({ ...one, quantity: 0 }))),
        }),
    ),
    line && component(LineSheet, {
      line,
      prices: invoice.pricesShown,
      onSave: (changed) => save(lines.with(opened, { ...line, ...changed })),
      // What a correction takes away has the quantity 0: the line stays to be seen.
      onRemove: invoice.kind !== "correction" && lines.length > 1
        ? () => {
          setOpened(-1);
          save(lines.filter((_, at) => at !== opened));
        }
        : null,
      onClose: () => setOpened(-1),
    }),
  );
}

/** @param {{ line: Api.NewInvoiceLine, prices: "net" | "gross", onSave: (changed: Partial<Api.NewInvoiceLine>) => void, onRemove: (() => void) | null, onClose: () => void }} props */
function LineSheet({ line, prices, onSave, onRemove, onClose }) {
  const text = invoiceWords.value;
  const { buttons, units } = words.value.common;
  const number = (/** @type {"quantity" | "unitPrice"} */ name, /** @type {string} */ label) =>
    numberField({
      label,
      value: line[name],
      bounds: BOUNDS[name],
      onValue: (value) => value !== null && onSave({ [name]: value }),
    });
  return sheet(
    {
      title: line.label,
      onClose,
      foot: actionButton({
        label: buttons.done,
        kind: "main",
        wide: true,
        onClick: () => hasUnreadable() || onClose(),
      }),
    },
    textField({
      label: text.label,
      value: line.label,
      maxLength: 250,
      onCommit: (label) => label.trim() && onSave({ label: label.trim() }),
    }),
    div(
      { class: "two" },
      number("quantity", text.quantity),
      selectField({
        label: text.unit,
        value: line.unit,
        options: UNITS.map((value) => ({ value, label: units[value].long })),
        onChange: (unit) => onSave({ unit: /** @type {Api.NewInvoiceLine["unit"]} */ (unit) }),
      }),
    ),
    number("unitPrice", text.unitPrice[prices]),
    onRemove && actionButton({ label: text.removeLine, icon: "trash-2", kind: "quiet", onClick: onRemove }),
  );
}
