// Draft of an invoice: its facts are edited where they stand, until it is issued for good.

import { address } from "../../api/early.js";
import { actionButton } from "../../components/action-button.js";
import { boundFields, conflict, facts, hasUnreadable, problemAt } from "../../components/bound-fields.js";
import { isOnline, needsConnection, useCommand } from "../../components/command.js";
import { choice, fold } from "../../components/controls.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { a, b, component, dd, div, dl, dt, h2, icon, p, section, span } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { methodsOf } from "../../domain/balance.js";
import { amount } from "../../domain/format.js";
import { isDay, isNip, lacking } from "../../domain/invoices.js";
import { BOUNDS } from "../../domain/numbers.js";
import { openFile } from "../../local/system.js";
import {
  beginAgain,
  deleteInvoice,
  editBuyer,
  editInvoice,
  issueInvoice,
  keepTaxId,
} from "../../state/invoices.js";
import { isPending } from "../../state/outbox.js";
import { go } from "../../state/router.js";
import { clock } from "../../state/tickets.js";
import { offerDrop } from "../../state/undo.js";
import { documentSettings } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { errorWords } from "../../words/errors.js";
import { invoiceWords } from "../../words/invoices.js";
import { paymentWords } from "../../words/payments.js";
import { explained } from "../../words/problems.js";
import { words, wordsLanguage } from "../../words/words.js";
import { countryOptions } from "./countries.js";
import { Figures } from "./figures.js";

/** @typedef {Api.Invoice} Invoice */
/** @typedef {import("../../api/problems.js").Problem} Problem */

/** @param {{ invoice: Invoice }} props */
export function Draft({ invoice }) {
  const text = invoiceWords.value;
  const lacks = lacking(invoice, documentSettings.value?.exemptReason);
  const isOfSettings = lacks.some((pointer) => /^\/(?:seller|exemptReason)/.test(pointer));
  const remove = () => {
    offerDrop(text.deleted, deleteInvoice(invoice.id), () => go(`/invoices/${invoice.id}`));
    go(`/orders/${invoice.orderId}`, { replace: true });
  };
  const toSettings = { label: text.toSettings, href: "/shop/documents" };
  return [
    corrected(invoice),
    lacks.length > 0 && notice({
      kind: "warning",
      text: text.lacksFirst,
      detail: lackText(lacks),
      ...(isOfSettings ? { action: toSettings } : {}),
    }),
    component(Figures, { invoice }),
    component(BuyerFields, { invoice }),
    component(FactFields, { invoice }),
    div(
      { class: "row" },
      actionButton({
        label: text.preview,
        icon: "eye",
        disabled: !isOnline() || isPending(invoice.id),
        onClick: () => openPdf(invoice),
      }),
      actionButton({ label: text.delete, icon: "trash-2", kind: "quiet", onClick: remove }),
    ),
  ];
}

/** @param {Invoice} invoice */
export function corrected({ corrects }) {
  const text = invoiceWords.value;
  if (!corrects) return null;
  return section(
    { class: "panel" },
    p(
      {},
      a({ class: "thing-link", href: `/invoices/${corrects.invoiceId}` }, text.corrects(corrects.number)),
    ),
    p({}, corrects.reason),
  );
}

/** @param {readonly string[]} pointers */
function lackText(pointers) {
  const { lacks } = invoiceWords.value;
  const places = new Set(pointers.map((pointer) => pointer.replace(/\/\d+/, "")));
  return [...places].map((place) => lacks[/** @type {keyof typeof lacks} */ (place)] ?? place).join(", ");
}

/** @param {{ invoice: Invoice }} props */
function BuyerFields({ invoice }) {
  const { id, orderId, buyer, seller } = invoice;
  const text = invoiceWords.value;
  const save = (/** @type {Partial<Api.NewBuyer>} */ changed) => {
    editBuyer(id, /** @type {Api.NewBuyer} */ (changed));
    if (changed.taxId) void keepTaxId(orderId, changed.taxId, buyer.taxId);
  };
  // Most companies are of the country of the workshop.
  const country = /** @type {Api.NewBuyer["country"]} */ (buyer.country ?? seller.country);
  const become = (/** @type {string} */ who) =>
    void editBuyer(
      id,
      /** @type {Api.NewBuyer} */ (who === "consumer" ? { isConsumer: true } : {
        isConsumer: null,
        ...(country && { country }),
      }),
    );
  const bound = /** @type {const} */ ({ kind: "invoice", id, part: "buyer", value: { value: buyer }, save });
  const field = boundFields(bound, text);
  const refused = (/** @type {string} */ name) => {
    const problem = problemAt(bound, name, `/buyer/${name}`);
    return problem ? { problem } : {};
  };
  const checkName = (/** @type {string} */ name) => name.trim() ? undefined : text.nameMissing;
  const checkTaxId = (/** @type {string} */ taxId) =>
    taxId.trim() && buyer.country === "PL" && !isNip(taxId) ? text.wrongNip : undefined;
  return section(
    { class: "panel" },
    h2({}, text.buyer),
    choice({
      label: text.who,
      value: buyer.isConsumer ? "consumer" : "company",
      options: (/** @type {const} */ (["consumer", "company"])).map((value) => ({
        value,
        label: text.whos[value],
      })),
      onChange: become,
    }),
    conflict(bound, "isConsumer"),
    field.text("name", { maxLength: 250, check: checkName, ...refused("name") }),
    !buyer.isConsumer && field.text("taxId", { maxLength: 250, check: checkTaxId, ...refused("taxId") }),
    field.text("address", { multiline: true, maxLength: 500, ...refused("address") }),
    !buyer.isConsumer && field.select("country", countryOptions(text.noCountry, seller.country), ""),
    fold(words.value.common.buttons.add, [
      field.text("email", { type: "email", maxLength: 250, ...refused("email") }),
    ]),
  );
}

/** @param {string} day @returns {string | undefined} */
const checkDay = (day) => !day || isDay(day) ? undefined : errorWords.value.fields.year;

/** @param {{ invoice: Invoice }} props */
function FactFields({ invoice }) {
  const { id, kind, currency, total } = invoice;
  const text = invoiceWords.value;
  const save = (/** @type {Api.InvoiceEdit} */ fields) => void editInvoice(id, fields);
  // The server says what an advance is of by its total.
  const value = { amount: total, ...invoice };
  const field = boundFields({ kind: "invoice", id, part: "fields", value: { value }, save }, text);
  const { methods } = paymentWords.value;
  const ways = [
    { value: "", label: text.anyMethod },
    ...methodsOf(currency).map((one) => ({ value: one, label: methods[one] })),
  ];
  const asked = (/** @type {number} */ sum) => amount(sum, currency, wordsLanguage.value);
  const keep = (/** @type {number | null} */ sum) => sum !== null && save({ amount: sum });
  return section(
    { class: "panel" },
    h2({}, text.facts),
    facts([
      kind === "advance" && field.number("amount", BOUNDS.unitPrice, { show: asked, onValue: keep }),
      field.text("saleDate", { type: "date", check: checkDay }),
      field.text("dueDate", { type: "date", check: checkDay }),
      field.select("method", ways, ""),
      field.text("notes", { multiline: true, maxLength: 1000 }),
    ]),
  );
}

/** @param {{ invoice: Invoice }} props */
export function DraftFoot({ invoice }) {
  const [isAsking, ask] = useState(false);
  const text = invoiceWords.value;
  const isNothing = invoice.kind !== "correction" && invoice.total === 0 && !invoice.advances;
  return div(
    { class: "stack" },
    !isOnline() && p({ class: "row quiet-text" }, icon("wifi-off"), span({}, text.issueOffline)),
    isNothing && p({ class: "quiet-text" }, text.nothingToIssue),
    actionButton({
      label: text.issue,
      kind: "main",
      wide: true,
      disabled: !isOnline() || isNothing,
      onClick: () => hasUnreadable() || ask(true),
    }),
    isAsking && component(IssueSheet, { invoice, onClose: () => ask(false) }),
  );
}

/** Says what cannot be taken back, and of which invoice. @param {{ invoice: Invoice, onClose: () => void }} props */
function IssueSheet({ invoice, onClose }) {
  const { today } = clock.value;
  const [on, setOn] = useState(today);
  const { problem, busy, run } = useCommand();
  const text = invoiceWords.value;
  const { corrects, currency, total, buyer } = invoice;
  const dated = problem?.errors.find(({ pointer }) => pointer === "/issueDate")?.code;
  const dateProblem = checkDay(on) ??
    (dated && (text.dates[/** @type {keyof typeof text.dates} */ (dated)] ?? explained(problem)));
  const finish = async (/** @type {() => Promise<unknown>} */ work) => await run(work) && onClose();
  const again = { label: text.again, busy, onClick: () => void finish(() => beginAgain(invoice.id)) };
  return sheet(
    {
      title: text.issueTitle,
      onClose,
      foot: actionButton({
        label: text.issue,
        kind: "main",
        isFinal: true,
        wide: true,
        busy,
        disabled: !isOnline() || !isDay(on),
        onClick: () => void finish(() => issueInvoice(invoice, on === today ? undefined : on)),
      }),
      problem: problem && !dated && notice({
        kind: "warning",
        text: problemText(problem),
        ...(problem.code === "changed" && { action: again }),
      }),
    },
    p({}, text.issueHelp),
    dl(
      { class: "money-sums" },
      row(text.buyer, buyer.name),
      row(
        corrects ? text.difference : words.value.common.money.total,
        amount(corrects ? corrects.difference.total : total, currency, wordsLanguage.value),
      ),
    ),
    textField({
      label: text.issueDate,
      type: "date",
      value: on,
      onInput: setOn,
      ...(dateProblem ? { problem: dateProblem } : {}),
    }),
    needsConnection(),
  );
}

/** @param {string} label @param {any} value */
export const row = (label, value) => div({}, dt({}, label), dd({}, b({}, value)));

/** @param {Problem} problem */
export function problemText(problem) {
  const text = invoiceWords.value;
  if (problem.code === "conflict") return text.changed;
  if (problem.code === "changed") return text.overtaken;
  if (problem.code !== "incomplete") return explained(problem);
  return `${text.lacksNow} ${lackText(problem.errors.map(({ pointer }) => pointer))}`;
}

/** @param {Invoice} invoice */
export const openPdf = ({ id }) => openFile(address(`/invoices/${id}/pdf`, { locale: wordsLanguage.value }));
