// A revision: when, by whom, its total, what changed, and how it was handed over.

import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { isOnline } from "../../components/needs-connection.js";
import { article, component, div, h2, icon, li, p, span, ul } from "../../components/tags.js";
import { difference } from "../../domain/differences.js";
import { dateTime } from "../../domain/format.js";
import { explained } from "../../words/problems.js";
import { words, wordsLanguage } from "../../words/words.js";
import { revisionWords } from "../../words/estimates.js";
import { pricesOf } from "../../state/totals.js";
import { setEstimatePrices } from "../../state/prices.js";
import { replaced } from "../../state/outbox.js";
import { replaceContent } from "../../state/revising.js";
import { go } from "../../state/router.js";
import { offerUndo } from "../../state/undo.js";
import { currency as workshopCurrency, workshop } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { changesOf, sumsOf, total, withAmounts } from "./changes.js";
import { PdfSheet } from "./pdf-sheet.js";

/** @typedef {import("./history.js").History} History */
/** @typedef {import("../../state/revising.js").Content} Content */
/** @typedef {import("../../state/prices.js").Prices} Prices */
/** @typedef {{ id: string, revision: Api.EstimateRevision, before?: Api.EstimateRevision | undefined, history: History, isLatest: boolean }} Revision */

/** @param {Revision} props */
export function RevisionTicket({ id, revision, before, history, isLatest }) {
  const [pdf, setPdf] = useState("");
  const number = revision.revisionNumber;
  return article(
    { class: "panel" },
    head(revision, history),
    before && changed(revision, before, history),
    sent(history, number, setPdf),
    !isLatest && restoreButton(id, revision, history),
    pdf && component(PdfSheet, { id, number, pdfExportId: pdf, onClose: () => setPdf("") }),
  );
}

/** @param {Api.EstimateRevision} revision @param {History} history */
function head({ revisionNumber, createdAt, createdByUid }, history) {
  const totals = history.totals.get(revisionNumber);
  const title = revisionWords.value.revision(revisionNumber);
  const made = [dateTime(createdAt, wordsLanguage.value), nameOf(createdByUid)].filter(Boolean).join(", ");
  return div(
    {},
    div(
      { class: "revision-head" },
      h2({}, title, totals?.number && span({ class: "quiet-text" }, ` · ${totals.number}`)),
      totals && span({ class: "figures" }, total(totals.total, totals.currency)),
    ),
    p({ class: "quiet-text" }, made),
  );
}

/** @param {Api.EstimateRevision} revision @param {Api.EstimateRevision} before @param {History} history */
function changed(revision, before, { totals }) {
  const text = revisionWords.value;
  const [earlier, later] = [totals.get(before.revisionNumber), totals.get(revision.revisionNumber)];
  const currency = later?.currency ?? workshopCurrency.value;
  return div(
    { class: "stack" },
    earlier && later && sumsOf(earlier, later, currency),
    changesOf(
      difference(withAmounts(before, earlier), withAmounts(revision, later), currency),
      text.since(before.revisionNumber),
      currency,
    ),
  );
}

/** @param {string} id @param {Api.EstimateRevision} revision @param {History} history */
const restoreButton = (id, revision, { totals }) =>
  component(Restore, { id, revision, prices: totals.get(revision.revisionNumber)?.pricesEntered ?? "net" });

/** @param {{ id: string, revision: Api.EstimateRevision, prices: Prices }} props */
function Restore({ id, revision, prices }) {
  const { busy, problem, run } = useCommand();
  return div(
    { class: "stack" },
    problem && p({ class: "field-problem", role: "alert" }, explained(problem, words.value.common)),
    actionButton({
      label: revisionWords.value.restore,
      icon: "undo-2",
      busy,
      disabled: !isOnline(),
      onClick: () => void run(() => restore(id, revision, prices)),
    }),
  );
}

/** @param {string} uid */
function nameOf(uid) {
  return workshop.value?.members.find(({ id }) => id === uid)?.name ?? "";
}

/** Hand-offs of the revision, and PDFs that were not handed over. @param {History} history @param {number} number @param {(id: string) => void} onOpen */
function sent(history, number, onOpen) {
  const text = revisionWords.value;
  const handoffs = history.handoffs.filter(({ revisionNumber }) => revisionNumber === number);
  const shared = new Set(handoffs.map(({ pdfExportId }) => pdfExportId));
  const exports = history.exports.filter((one) => one.revisionNumber === number && !shared.has(one.id));
  if (!handoffs.length && !exports.length) return p({ class: "quiet-text" }, text.notSent);
  const known = new Set(history.exports.map((one) => one.id));
  return ul(
    { class: "stack" },
    ...handoffs.map((handoff) => handoffRow(handoff, known, onOpen)),
    ...exports.map((one) => exportRow(one, onOpen)),
  );
}

/** @param {Api.Handoff} handoff @param {ReadonlySet<string>} known @param {(id: string) => void} onOpen */
function handoffRow({ kind, createdAt, locale, tone, preliminary, pdfExportId }, known, onOpen) {
  const { common } = words.value;
  const text = revisionWords.value;
  const how = [
    common.languages[locale],
    text.tones[tone],
    preliminary && text.preliminary,
  ];
  return li(
    { class: "handoff-row" },
    icon(kind === "email-opened" ? "mail" : "send"),
    span(
      {},
      `${common.handoff[kind]}, ${dateTime(createdAt, wordsLanguage.value)}`,
      div({ class: "quiet-text" }, how.filter(Boolean).join(" · ")),
    ),
    pdfExportId && known.has(pdfExportId) && openButton(pdfExportId, onOpen),
  );
}

/** @param {Api.PdfExport} pdf @param {(id: string) => void} onOpen */
function exportRow({ id, generatedAt, locale, preliminary }, onOpen) {
  const { common } = words.value;
  const text = revisionWords.value;
  const name = text.pdfIn(common.languages[locale ?? "en"]);
  return li(
    { class: "handoff-row" },
    icon("file-text"),
    span(
      {},
      `${name}, ${dateTime(generatedAt, wordsLanguage.value)}`,
      preliminary && div({ class: "quiet-text" }, text.preliminary),
    ),
    openButton(id, onOpen),
  );
}

/** @param {string} id @param {(id: string) => void} onOpen */
function openButton(id, onOpen) {
  return actionButton({
    label: revisionWords.value.show,
    icon: "eye",
    onClick: () => onOpen(id),
  });
}

/** The estimate gets the content of the revision; what it was before can be had again. @param {string} id @param {Api.EstimateRevision} revision @param {Prices} prices */
async function restore(id, { name, markupPercent, discountPercent, lineItems, revisionNumber }, prices) {
  const former = await replace(id, { name, markupPercent, discountPercent, lineItems }, prices);
  const present = replaced(id);
  go(`/estimates/${present}`);
  offerUndo(
    revisionWords.value.restored(revisionNumber),
    () => replace(present, former.content, former.prices),
  );
}

/** Returns what it had. @param {string} id @param {Content} content @param {Prices} prices of its lines */
async function replace(id, content, prices) {
  const former = await replaceContent(id, content);
  const formerPrices = pricesOf(replaced(id));
  if (prices !== formerPrices) setEstimatePrices(replaced(id), prices, "keep");
  return { content: former, prices: formerPrices };
}
