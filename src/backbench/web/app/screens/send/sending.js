// Sending: what is known about the way of one estimate out of the workshop, and the steps that make it ready.

import { listEstimateSummaries } from "../../api/estimates.js";
import { draftMessage, listHandoffs } from "../../api/handoffs.js";
import { createPdfExport, downloadPdfExport, listPdfExports } from "../../api/pdf-exports.js";
import { isProblem, isTemporary, Problem } from "../../api/problems.js";
import { confirmEstimate, estimate, facts, openEstimate } from "../../state/estimates.js";
import { loadShared, shared } from "../../state/links.js";
import { pendingOf, settle } from "../../state/outbox.js";
import { workshopId } from "../../state/workshops.js";
import { computed, signal } from "../../vendor/signals.js";
import { command } from "../../state/commands.js";
import { chosen } from "./choices.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").DraftedMessage} DraftedMessage */
/** @typedef {import("../../../../../../types/shapes.d.ts").EstimateSummary} EstimateSummary */
/** @typedef {import("../../../../../../types/shapes.d.ts").Handoff} Handoff */
/** @typedef {import("../../../../../../types/shapes.d.ts").NewHandoff} NewHandoff */
/** @typedef {import("../../../../../../types/shapes.d.ts").PdfExport} PdfExport */
/** @typedef {"" | "saving" | "confirming" | "drawing" | "writing" | "fetching"} Progress */
/** What leaves the workshop: the stored PDF, its file, and the message, for the choices they were made with.
 * @typedef {{ id: string, pdf: PdfExport, file: File, message: DraftedMessage, choices: string, content: string, chosen: Chosen }} Package */
/** @typedef {typeof chosen.value} Chosen */
/** What is to leave, as it was when the button was pressed: nothing that changes later gets into it.
 * @typedef {Readonly<{ id: string, chosen: Chosen, content: string }>} Wanted */
/** @typedef {ReturnType<typeof create>} Sending */

/** The latest ones, so that what was fetched is there again when the screen is. @type {Map<string, Sending>} */
const opened = new Map();
const KEPT = 5;

/** @param {string} id @returns {Sending} */
export function sendingOf(id) {
  const found = opened.get(id) ?? create(id);
  opened.delete(id);
  opened.set(id, found);
  for (const [first] of opened) if (opened.size > KEPT) opened.delete(first);
  return found;
}

/** @param {string} id */
function create(id) {
  const content = computed(() => contentOf(id));
  const known = knownOf();
  const isChanged = computed(() => pendingOf(id).value || content.value !== known.confirmed.value);
  return {
    id,
    content,
    ...known,
    ...messages(),
    progress: signal(/** @type {Progress} */ ("")),
    problem: signal(/** @type {Problem | null} */ (null)),
    /** Whether what is to be sent differs from the latest revision. */
    isChanged,
    /** What can be shared now, or null. */
    ready: computed(() => {
      const made = known.last.value;
      const isCurrent = made?.choices === JSON.stringify(chosen.value) && made.content === content.value;
      return isCurrent && !isChanged.value ? made : null;
    }),
  };
}

function knownOf() {
  return {
    /** The content of the latest revision, as far as it is known. */
    confirmed: signal(""),
    last: signal(/** @type {Package | null} */ (null)),
    summary: signal(/** @type {EstimateSummary | null} */ (null)),
    handoffs: signal(/** @type {Handoff[] | null} */ (null)),
    /** What was handed over since the screen was opened. */
    handed: signal(/** @type {NewHandoff | null} */ (null)),
    /** A hand-off that is not stored yet. */
    unrecorded: signal(/** @type {NewHandoff | null} */ (null)),
  };
}

function messages() {
  return {
    /** The message as the person changed it, or null. */
    edited: signal(/** @type {string | null} */ (null)),
    /** The message in the form of an e-mail. */
    email: signal(/** @type {{ message: DraftedMessage, choices: string } | null} */ (null)),
    /** The message that goes with a link. */
    linkText: signal(""),
  };
}

/** All that a revision holds, as text. @param {string} id */
function contentOf(id) {
  const shown = estimate(id).value;
  if (!shown) return "";
  const { name, recipientName = "", markupPercent, discountPercent, lineItems } = shown;
  return JSON.stringify([
    name,
    recipientName,
    markupPercent,
    discountPercent,
    lineItems,
    facts(id).value ?? {},
  ]);
}

/** Reads what the server knows, and takes up a PDF that was made before. Throws Problem if the estimate is gone. @param {Sending} sending */
export async function openSending(sending) {
  if (!await openEstimate(sending.id)) throw new Problem(404, "404");
  try {
    const id = await settle(sending.id);
    await Promise.all([loadSummary(sending), loadHandoffs(sending, id), loadShared(id)]);
    // What can be shared already stays as it is, with the message as the person changed it.
    if (!sending.isChanged.value && !sending.ready.value) await takeUp(sending);
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (!isTemporary(error)) sending.problem.value = error;
  }
}

/** @param {Sending} sending */
export async function loadSummary(sending) {
  const shown = estimate(sending.id).peek();
  if (!shown) return;
  const { data } = await listEstimateSummaries(workshopId.value, { q: shown.name, limit: 500 });
  const found = data.summaries.find(({ estimateId }) => estimateId === shown.id) ?? null;
  sending.summary.value = found;
  if (found?.state === "confirmed" && !pendingOf(sending.id).peek()) {
    sending.confirmed.value = sending.content.peek();
  }
}

/** @param {Sending} sending @param {string} id */
export async function loadHandoffs(sending, id) {
  sending.handoffs.value = (await listHandoffs(id)).handoffs;
}

/** The number of the revision that was confirmed last, or 0. @param {Sending} sending */
export function latestNumber(sending) {
  return sending.summary.value?.latestRevision?.number ?? 0;
}

/**
 * Confirms what has changed, makes the PDF, drafts the message and fetches the file. Each step can be repeated: what was
 * done before an answer got lost is not done again.
 * @param {Sending} sending
 */
export function prepare(sending) {
  const { chosen: choices, content } = wantedOf(sending, sending.id);
  return guarded(sending, async () => {
    sending.progress.value = "saving";
    const wanted = { id: await settle(sending.id), chosen: choices, content };
    if (sending.isChanged.value) await confirm(sending, content);
    // Somebody else has changed it meanwhile: it is looked at again before it leaves.
    if (sending.content.peek() !== content) return;
    sending.progress.value = "drawing";
    await finish(sending, wanted, await exportOf(sending, wanted));
  });
}

/** @param {Sending} sending @param {string} id @returns {Wanted} */
function wantedOf(sending, id) {
  return { id, chosen: chosen.peek(), content: sending.content.peek() };
}

/** Uses the PDF that exists for the choices, if there is one. @param {Sending} sending */
export function takeUp(sending) {
  return guarded(sending, async () => {
    const wanted = wantedOf(sending, estimate(sending.id).peek()?.id ?? sending.id);
    const known = await knownExport(sending, wanted);
    if (known) await finish(sending, wanted, known);
  });
}

/** @param {Sending} sending @param {() => Promise<void>} work */
async function guarded(sending, work) {
  if (sending.progress.peek()) return;
  sending.problem.value = null;
  try {
    await work();
  } catch (error) {
    if (!isProblem(error)) throw error;
    sending.problem.value = error;
  } finally {
    sending.progress.value = "";
  }
}

/** @param {Sending} sending @param {string} content */
async function confirm(sending, content) {
  sending.progress.value = "confirming";
  await confirmEstimate(sending.id, content);
  await loadSummary(sending);
}

/** @param {Sending} sending @param {Wanted} wanted */
async function exportOf(sending, wanted) {
  const known = await knownExport(sending, wanted);
  if (known) return known;
  const { id, chosen: { locale, preliminary, toggles } } = wanted;
  const body = { locale, preliminary, toggles, revisionNumber: latestNumber(sending) };
  return await command(["pdf", id, body], (key) => createPdfExport(id, body, { key }));
}

/** @param {Sending} sending @param {Wanted} wanted */
async function knownExport(sending, { id, chosen: wanted }) {
  const { pdfExports } = await listPdfExports(id);
  // The PDF of a link carries that link: who has it can accept.
  const ofLinks = new Set(shared(id).value?.links.map(({ pdfExportId }) => pdfExportId));
  const usable = pdfExports.filter((each) => !ofLinks.has(each.id));
  return usable.find((each) => each.revisionNumber === latestNumber(sending) && isAsChosen(each, wanted));
}

/** @param {PdfExport} pdf @param {Chosen} wanted */
function isAsChosen({ locale, preliminary, toggles: shown }, { toggles, ...wanted }) {
  return locale === wanted.locale && preliminary === wanted.preliminary &&
    Object.entries(toggles).every(([name, value]) => shown[/** @type {"breakdown"} */ (name)] === value);
}

/** @param {Sending} sending @param {Wanted} wanted @param {PdfExport} pdf */
async function finish(sending, wanted, pdf) {
  const { id } = wanted;
  sending.progress.value = "writing";
  const message = await draft(id, "message", wanted.chosen);
  sending.progress.value = "fetching";
  const known = sending.last.peek();
  const file = known?.pdf.id === pdf.id ? known.file : await fileOf(sending, id, pdf);
  // Made by another step meanwhile, and perhaps handed over since.
  if (sending.ready.peek()?.pdf.id === pdf.id) return;
  sending.last.value = { ...wanted, pdf, file, message, choices: JSON.stringify(wanted.chosen) };
  sending.edited.value = null;
  sending.handed.value = null;
}

/** @param {string} id @param {"email" | "message"} channel @param {Chosen} wanted @param {boolean} [withPdf] */
export function draft(id, channel, { locale, tone, preliminary }, withPdf = true) {
  return draftMessage(id, { locale, tone, preliminary, withPdf, channel });
}

/** @param {Sending} sending @param {string} id @param {PdfExport} pdf */
async function fileOf(sending, id, pdf) {
  const blob = await downloadPdfExport(id, pdf.id);
  return new File([blob], fileName(sending, pdf), { type: "application/pdf" });
}

/** @param {Sending} sending @param {PdfExport} pdf */
export function fileName(sending, pdf) {
  const { name = "", recipientName = "" } = estimate(sending.id).peek() ?? {};
  const said = [name, recipientName, pdf.revisionNumber].filter(Boolean).join(" ");
  return `${said.replace(/[\p{Cc}\\/:*?"<>|.]+/gu, " ").replace(/\s+/g, " ").trim().slice(0, 80)}.pdf`;
}
