// Revisions: what was confirmed and sent, newest first, each with its difference to the one before.

import { call, request } from "../api/client.js";
import { address } from "../api/early.js";
import { isProblem } from "../api/problems.js";
import { notYet, useAnswer } from "../components/answer.js";
import { actionButton } from "../components/action-button.js";
import { isOnline, useCommand } from "../components/command.js";
import { frame } from "../components/frame.js";
import { emptyState, notice } from "../components/notice.js";
import { sheet } from "../components/sheet.js";
import { article, component, div, h2, icon, img, li, p, span, ul } from "../components/tags.js";
import { difference, isEmpty } from "../domain/differences.js";
import { dateTime } from "../domain/format.js";
import { openFile } from "../local/system.js";
import { estimate, openEstimate } from "../state/estimates.js";
import { replaced, settle } from "../state/outbox.js";
import { setEstimatePrices } from "../state/prices.js";
import { replaceContent } from "../state/revising.js";
import { go } from "../state/router.js";
import { pricesOf, totals } from "../state/totals.js";
import { offerUndo } from "../state/undo.js";
import { currency, currency as workshopCurrency, workshop } from "../state/workshops.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { revisionWords } from "../words/estimates.js";
import { explained } from "../words/problems.js";
import { words, wordsLanguage } from "../words/words.js";
import { changesOf, sumsOf, total, withAmounts } from "./revisions/changes.js";

/** @typedef {import("../api/problems.js").Problem} Problem */

/** @param {{ params: Readonly<Record<string, string>> }} props */
export function screen({ params }) {
  const id = params.estimateId ?? "";
  const answered = useAnswer(async () => (await Promise.all([loadRevisions(id), openEstimate(id)]))[0], id);
  const shown = estimate(id).value;
  const text = revisionWords.value;
  return frame(
    {
      title: shown ? `${text.title}: ${shown.name}` : text.title,
      place: "estimates",
      back: `/estimates/${id}`,
    },
    notYet(answered),
    answered.data && tickets(id, answered.data),
  );
}

/** @param {string} id @param {History} history */
function tickets(id, history) {
  const text = revisionWords.value;
  const { revisions } = history;
  if (!revisions.length) {
    return emptyState({
      text: text.empty,
      action: { label: text.toEstimate, onClick: () => go(`/estimates/${id}`) },
    });
  }
  return div(
    { class: "stack" },
    unconfirmed(id, history),
    ...revisions.map((revision, at) =>
      component(RevisionTicket, {
        key: revision.id,
        id,
        revision,
        before: revisions[at + 1],
        history,
        isLatest: at === 0,
      })
    ),
  );
}

/** What was changed since the latest revision. @param {string} id @param {History} history */
function unconfirmed(id, { revisions, totals: known }) {
  const present = estimate(id).value;
  const [latest] = revisions;
  if (!present || !latest) return null;
  const [earlier, later] = [known.get(latest.revisionNumber), totals(id).value];
  const found = difference(withAmounts(latest, earlier), withAmounts(present, later), currency.value);
  const hasSameSums = !earlier || !later ||
    sumsOf(earlier, later, currency.value).every((row) => row === null);
  if (isEmpty(found) && latest.name === present.name && hasSameSums) return null;
  const text = revisionWords.value;
  return div(
    { class: "panel status-in_progress" },
    div({ class: "revision-head" }, text.now),
    earlier && later && sumsOf(earlier, later, currency.value),
    changesOf(found, text.since(latest.revisionNumber), currency.value),
  );
}

/** @typedef {{ revisions: Api.EstimateRevision[], totals: Map<number, Api.RevisionTotals>, handoffs: Api.Handoff[], exports: Api.PdfExport[] }} History */

/** Throws Problem. @param {string} id @returns {Promise<History>} */
async function loadRevisions(id) {
  const present = await settle(id);
  const [{ revisions }, { handoffs }, { pdfExports }] = await Promise.all([
    call("GET /estimates/{estimateId}/revisions", { estimateId: present }),
    call("GET /estimates/{estimateId}/handoffs", { estimateId: present }),
    call("GET /estimates/{estimateId}/pdf-exports", { estimateId: present }),
  ]);
  const numbers = revisions.map(({ revisionNumber }) => revisionNumber);
  const found = await Promise.all(
    numbers.map((number) =>
      call("GET /estimates/{estimateId}/revisions/{revisionNumber}/totals", {
        estimateId: present,
        revisionNumber: number,
      })
    ),
  );
  return {
    revisions,
    totals: new Map(found.map((totals, at) => [numbers[at] ?? 0, totals])),
    handoffs,
    exports: pdfExports,
  };
}

// A revision: when, by whom, its total, what changed, and how it was handed over.

/** @typedef {import("../components/command.js").Go} Go */
/** @typedef {import("../state/revising.js").Content} Content */
/** @typedef {import("../state/prices.js").Prices} Prices */
/** @typedef {{ id: string, revision: Api.EstimateRevision, before?: Api.EstimateRevision | undefined, history: History, isLatest: boolean }} Revision */

/** @param {Revision} props */
function RevisionTicket({ id, revision, before, history, isLatest }) {
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
    problem && p({ class: "field-problem", role: "alert" }, explained(problem)),
    actionButton({
      label: revisionWords.value.restore,
      icon: "undo-2",
      busy,
      disabled: !isOnline(),
      onClick: () => void run((go) => restore(id, revision, prices, go)),
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

/** The estimate gets the content of the revision; what it was before can be had again. @param {string} id @param {Api.EstimateRevision} revision @param {Prices} prices @param {Go} go */
async function restore(id, { name, markupPercent, discountPercent, lineItems, revisionNumber }, prices, go) {
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

// PDF sheet: the pages of a stored PDF as pictures, and the PDF itself.

const WIDTH = 1080;

/** @param {{ id: string, number: number, pdfExportId: string, onClose: () => void }} props */
function PdfSheet({ id, number, pdfExportId, onClose }) {
  const { count, problem } = useCount(id, pdfExportId);
  const text = revisionWords.value;
  const path = `/estimates/${id}/pdf-exports/${pdfExportId}`;
  const images = Array.from({ length: count }, (_, at) => ({
    src: address(`${path}/pages/${at + 1}`, { width: WIDTH }),
    alt: text.page(at + 1, count),
  }));
  const openPdf = () => openFile(address(path));
  return sheet(
    {
      title: text.revision(number),
      onClose,
      foot: actionButton({ label: text.openPdf, kind: "main", icon: "file-text", onClick: openPdf }),
    },
    problem && notice({
      kind: "alarm",
      text: explained({ status: problem.status, code: problem.code, data: problem.data }),
    }),
    pages({ images }),
  );
}

/** How many pages it has. @param {string} id @param {string} pdfExportId */
function useCount(id, pdfExportId) {
  const [count, setCount] = useState(0);
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  useEffect(() => {
    request("GET /estimates/{estimateId}/pdf-exports/{pdfExportId}/pages/{pageNumber}", {
      estimateId: id,
      pdfExportId,
      pageNumber: 1,
      width: WIDTH,
    }, { as: "blob" }).then(
      ({ headers }) => setCount(Number(headers.get("Page-Count") ?? 1)),
      (error) => {
        if (!isProblem(error)) throw error;
        setProblem(error);
      },
    );
  }, []);
  return { count, problem };
}

/** @param {{ images: readonly { src: string, alt: string }[] }} props */
function pages({ images }) {
  return div(
    {
      class: "pages",
      tabIndex: images.length > 1 ? 0 : undefined,
      role: images.length > 1 ? "group" : undefined,
    },
    ...images.map(({ src, alt }) =>
      img({ class: "page-picture", key: src, src, alt, width: 1080, height: 1527 })
    ),
  );
}
