// Invoice: a draft, or an issued one with its files and the way to correct it. What was read is there without a connection.

import { actionButton } from "../../components/action-button.js";
import { isOnline, needsConnection, useCommand } from "../../components/command.js";
import { fold } from "../../components/controls.js";
import { frame } from "../../components/frame.js";
import { linkRows } from "../../components/link-row.js";
import { missing, useAnswer } from "../../components/answer.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { b, component, div, dl, h2, p, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { weekday } from "../../domain/format.js";
import { stateOf } from "../../domain/invoices.js";
import {
  correctInvoice,
  follow,
  invoiceOf,
  invoicesOf,
  loadInvoicesOf,
  openInvoice,
  shownInvoice,
  xmlOf,
} from "../../state/invoices.js";
import { go } from "../../state/router.js";
import { clock } from "../../state/tickets.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { invoiceWords } from "../../words/invoices.js";
import { paymentWords } from "../../words/payments.js";
import { wordsLanguage } from "../../words/words.js";
import { countryName } from "./countries.js";
import { corrected, Draft, DraftFoot, openPdf, problemText, row } from "./draft.js";
import { Figures } from "./figures.js";
import { badge, invoiceRow } from "./of-order.js";

/** @typedef {Api.Invoice} Invoice */

/** @param {{ id: string }} props */
export function InvoiceScreen({ id }) {
  const invoice = invoiceOf(id);
  const opened = useAnswer(async () => {
    await openInvoice(id);
    const { state, orderId = "" } = shownInvoice(id) ?? {};
    // Its corrections.
    if (state === "issued") await loadInvoicesOf(orderId);
  }, id);
  useEffect(() => follow(() => [id, shownInvoice(id)?.orderId], () => void opened.reload()), [id]);
  const text = invoiceWords.value;
  if (!invoice) {
    const back = { label: text.title, onClick: () => go("/invoices") };
    return frame(
      { title: text.kinds.invoice, place: "shop", back: "/invoices" },
      missing(opened, { text: text.gone, action: back }),
    );
  }
  const isDraft = invoice.state === "draft";
  return frame(
    {
      title: invoice.number ?? text.kinds[invoice.kind],
      place: "board",
      back: `/orders/${invoice.orderId}`,
      actions: badge(stateOf(invoice, clock.value.today)),
      foot: component(isDraft ? DraftFoot : IssuedFoot, { invoice }),
    },
    div({ class: "stack" }, component(isDraft ? Draft : Issued, { invoice })),
  );
}

// An issued one.

/** @param {{ invoice: Invoice }} props */
function IssuedFoot({ invoice }) {
  return actionButton({
    label: invoiceWords.value.pdf,
    icon: "file-text",
    kind: "main",
    wide: true,
    disabled: !isOnline(),
    onClick: () => openPdf(invoice),
  });
}

/** @param {{ invoice: Invoice }} props */
function Issued({ invoice }) {
  const [isAsking, ask] = useState(false);
  const text = invoiceWords.value;
  const corrections = invoicesOf(invoice.orderId).filter(({ corrects }) =>
    corrects?.invoiceId === invoice.id
  );
  const { kind, issueDate, saleDate, dueDate, method, notes, corrects } = invoice;
  const day = (/** @type {string | undefined} */ on) =>
    on && weekday(on, clock.value.today, wordsLanguage.value);
  const rows = /** @type {const} */ ([
    [text.issueDate, day(issueDate)],
    [text.saleDate, day(saleDate)],
    // Of what is paid back there is none.
    [text.dueDate, (!corrects || corrects.difference.total > 0) && day(dueDate)],
    [text.method, method && paymentWords.value.methods[method]],
    [text.notes, notes],
  ]);
  return [
    corrected(invoice),
    section(
      { class: "panel" },
      p({}, text.kinds[kind]),
      dl({ class: "money-sums" }, ...rows.map(([label, value]) => value ? row(label, value) : null)),
      needsConnection(),
    ),
    component(Figures, { invoice }),
    corrections.length > 0 && linkRows({}, ...corrections.map((one) => invoiceRow(one, false))),
    bought(invoice),
    component(Files, { invoice }),
    div(
      { class: "row" },
      actionButton({ label: text.correct, icon: "pencil", disabled: !isOnline(), onClick: () => ask(true) }),
    ),
    isAsking && component(CorrectionSheet, { invoice, onClose: () => ask(false) }),
  ];
}

/** @param {Invoice} invoice */
function bought({ buyer: { name, address: lines, country, taxId, email } }) {
  const text = invoiceWords.value;
  const facts = [
    taxId && `${text.taxId}: ${taxId}`,
    lines,
    country && countryName(country),
    email,
  ];
  return section(
    { class: "panel" },
    h2({}, text.buyer),
    p({ class: "lines" }, b({}, name), ...facts.filter(Boolean).map((one) => `\n${one}`)),
  );
}

const FORMATS = /** @type {const} */ (["fa3", "cii", "ubl"]);
const KEPT = 60_000;

/** Files for programs; of one that cannot be made, what is missing. @param {{ invoice: Invoice }} props */
function Files({ invoice }) {
  const { problem, doing, run } = useCommand();
  const text = invoiceWords.value;
  const save = (/** @type {typeof FORMATS[number]} */ format) =>
    void run(async () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await xmlOf(invoice.id, format));
      link.download = `${(invoice.number ?? "").replaceAll("/", "-")}-${format}.xml`;
      link.click();
      // Some browsers read it only after the click.
      setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
    }, format);
  return section(
    { class: "panel" },
    fold(text.files, [
      invoice.currency === "PLN" && p({ class: "quiet-text" }, text.filesHelp),
      div(
        { class: "order-ways" },
        ...FORMATS.filter((format) => format !== "fa3" || invoice.currency === "PLN").map((format) =>
          actionButton({
            label: text.formats[format],
            icon: "download",
            disabled: !isOnline(),
            busy: doing === format,
            onClick: () => save(format),
          })
        ),
      ),
      needsConnection(),
      problem && notice({ kind: "warning", text: problemText(problem) }),
    ]),
  );
}

/** Asks in words what is corrected; the draft has the lines. @param {{ invoice: Invoice, onClose: () => void }} props */
function CorrectionSheet({ invoice, onClose }) {
  const [wrong, setWrong] = useState("");
  const [right, setRight] = useState("");
  const { said, busy, run } = useCommand();
  const text = invoiceWords.value;
  const reason = [wrong.trim(), right.trim()].filter(Boolean).join(" → ");
  const make = () => void run(async (go) => go(`/invoices/${await correctInvoice(invoice.id, reason)}`));
  const field = (
    /** @type {string} */ label,
    /** @type {string} */ value,
    /** @type {(value: string) => void} */ onInput,
  ) => textField({ label, value, maxLength: 120, autocomplete: "off", onInput });
  return sheet(
    {
      title: text.correctTitle,
      onClose,
      foot: actionButton({
        label: text.makeCorrection,
        kind: "main",
        wide: true,
        busy,
        disabled: !wrong.trim() || !isOnline(),
        onClick: make,
      }),
      problem: said && notice({ kind: "warning", text: said }),
    },
    p({}, text.correctHelp),
    field(text.wrong, wrong, setWrong),
    field(text.right, right, setRight),
    needsConnection(),
  );
}
