// Preparing: the steps that make an estimate ready to leave. Each can be repeated: what was done before a response got lost
// is not done again.

import { once } from "../../state/commands.js";
import { call } from "../../api/client.js";
import { isProblem } from "../../api/problems.js";
import { estimate } from "../../state/estimates.js";
import { addresses, addressOf, createLink, loadShared, moveLink, shared } from "../../state/links.js";
import { settle } from "../../state/outbox.js";
import { confirmEstimate } from "../../state/revising.js";
import { saveTyped } from "../../state/typed.js";
import { chosen } from "./choices.js";
import { latestNumber, loadSummary } from "./sending.js";

/** @typedef {import("./sending.js").Sending} Sending */
/** @typedef {import("./sending.js").Order} Order */
/** @typedef {import("./sending.js").Package} Package */

/**
 * Confirms what has changed, then makes what the client gets. A link that shows an older revision shows the new one from
 * then on.
 * @param {Sending} sending
 */
export function prepare(sending) {
  return guarded(sending, async () => {
    // A field that keeps the focus has not been saved: some browsers leave it there when a button is pressed.
    saveTyped();
    const [choices, content] = [chosen.peek(), sending.content.peek()];
    sending.progress.value = "saving";
    const id = await settle(sending.id);
    if (sending.isChanged.value) {
      sending.progress.value = "confirming";
      await confirmEstimate(sending.id, content, () => sending.content.peek());
      sending.confirmed.value = content;
      sending.isUnread = true;
    }
    if (sending.isUnread) {
      // Where this fails, it is read the next time: what was confirmed is not confirmed again.
      await Promise.all([loadSummary(sending), loadShared(sending.id)]);
      sending.isUnread = false;
    }
    // Somebody else has changed it meanwhile: it is looked at again before it leaves.
    if (sending.content.peek() !== content) return;
    await make(sending, id, { chosen: choices, content, number: latestNumber(sending) });
  });
}

/** Uses what exists for the choices, if all of it does: nothing is made, and nobody sees anything new. @param {Sending} sending */
export async function takeUp(sending) {
  const problem = sending.problem.peek();
  await guarded(sending, async () => {
    const id = estimate(sending.id).peek()?.id ?? sending.id;
    const order = { chosen: chosen.peek(), content: sending.content.peek(), number: latestNumber(sending) };
    const { way } = order.chosen;
    const link = way === "pdf" ? undefined : presentLink(sending, order);
    const pdf = way === "link" ? undefined : await knownExport(sending, id, order);
    if ((way === "pdf" || link) && (way === "link" || pdf)) await finish(sending, id, order, link, pdf);
  });
  // Why a press has failed stays until all is there, or the next one.
  if (!sending.ready.peek()) sending.problem.value ??= problem;
}

/** The address of the link once more. @param {Sending} sending @param {Package} made */
export function showAddress(sending, made) {
  return guarded(sending, async () => {
    const { link } = made;
    if (!link) return;
    sending.progress.value = "fetching";
    await addressOf(link);
    await finish(sending, made.id, made.order, link, made.pdf);
  });
}

/** The link that still shows an older revision, if there is one. @param {Sending} sending */
export function outdatedLink(sending) {
  const links = shared(sending.id).value?.links ?? [];
  const number = latestNumber(sending);
  const present = links.filter(({ state }) => state !== "revoked");
  if (present.some(({ revisionNumber }) => revisionNumber === number)) return undefined;
  return present.find(({ revisionNumber }) => revisionNumber < number);
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

/** @param {Sending} sending @param {string} id @param {Order} order */
async function make(sending, id, order) {
  const { way } = order.chosen;
  sending.progress.value = "drawing";
  const link = way === "pdf" ? undefined : await linkOf(sending, order);
  if (link) await addressOf(link);
  const pdf = way === "link" ? undefined : await exportOf(sending, id, order);
  await finish(sending, id, order, link, pdf);
}

/** One address a client: the link moves on to the latest revision. @param {Sending} sending @param {Order} order @returns {Promise<Api.Link>} */
async function linkOf(sending, order) {
  const present = presentLink(sending, order);
  if (present) return present;
  const outdated = outdatedLink(sending);
  if (outdated) return await moveLink(outdated, order.number);
  const { locale, toggles } = order.chosen;
  const body = { locale, toggles, canDecide: sending.canDecide.peek(), revisionNumber: order.number };
  return await createLink(sending.id, body);
}

/** The link that shows the revision as it was ordered. @param {Sending} sending @param {Order} order */
function presentLink(sending, { chosen: { locale, toggles }, number }) {
  return shared(sending.id).peek()?.links.find((link) =>
    link.state !== "revoked" && link.revisionNumber === number && link.locale === locale &&
    isShown(link.toggles, toggles)
  );
}

/** @param {Sending} sending @param {string} id @param {Order} order */
async function exportOf(sending, id, order) {
  const known = await knownExport(sending, id, order);
  if (known) return known;
  const { locale, preliminary, toggles } = order.chosen;
  const body = { locale, preliminary, toggles, revisionNumber: order.number };
  return await once("POST /estimates/{estimateId}/pdf-exports", { estimateId: id }, { body });
}

/** @param {Sending} sending @param {string} id @param {Order} order */
async function knownExport(sending, id, { chosen: { locale, preliminary, toggles }, number }) {
  const { pdfExports } = await call("GET /estimates/{estimateId}/pdf-exports", { estimateId: id });
  // The PDF of a link carries that link: who has it can accept.
  const ofLinks = new Set(shared(sending.id).peek()?.links.map(({ pdfExportId }) => pdfExportId));
  return pdfExports.find((each) =>
    !ofLinks.has(each.id) && each.revisionNumber === number && each.locale === locale &&
    each.preliminary === preliminary && isShown(each.toggles, toggles)
  );
}

/** @param {object} shown @param {Record<string, boolean>} wanted */
const isShown = (shown, wanted) =>
  Object.entries(wanted).every(([name, value]) => shown[/** @type {keyof typeof shown} */ (name)] === value);

/** @param {Sending} sending @param {string} id @param {Order} order @param {Api.Link | undefined} link @param {Api.PdfExport | undefined} pdf */
async function finish(sending, id, order, link, pdf) {
  sending.progress.value = "writing";
  const message = await draft(id, "message", order, link);
  const address = link ? addresses.peek()[link.id] ?? "" : "";
  const known = sending.last.peek();
  sending.progress.value = "fetching";
  const file = pdf && (known?.pdf?.id === pdf.id ? known.file : await fileOf(sending, id, pdf));
  sending.last.value = {
    id,
    order,
    message: withAddress(message, address),
    address,
    ...(link ? { link } : {}),
    ...(pdf && file ? { pdf, file } : {}),
  };
  sending.edited.value = null;
  sending.handed.value = null;
}

/** The message with the address in its place. @template {{ body: string }} M @param {M} message @param {string} address @returns {M} */
export function withAddress(message, address) {
  return { ...message, body: message.body.replace("{link}", () => address) };
}

/** @param {string} id @param {"email" | "message"} channel @param {Order} order @param {Api.Link | undefined} link */
export function draft(id, channel, { chosen: { locale, tone, preliminary, way } }, link) {
  const body = { locale, tone, preliminary, withPdf: way !== "link", channel };
  return call("POST /estimates/{estimateId}/message-draft", { estimateId: id }, {
    body: link ? { ...body, link: link.canDecide ? "answer" : "read" } : body,
  });
}

/** @param {Sending} sending @param {string} id @param {Api.PdfExport} pdf */
async function fileOf(sending, id, pdf) {
  const blob = await call("GET /estimates/{estimateId}/pdf-exports/{pdfExportId}", {
    estimateId: id,
    pdfExportId: pdf.id,
  }, { as: "blob" });
  return new File([blob], fileName(sending, pdf), { type: "application/pdf" });
}

/** @param {Sending} sending @param {Api.PdfExport} pdf */
function fileName(sending, pdf) {
  const { name = "", recipientName = "" } = estimate(sending.id).peek() ?? {};
  const said = [name, recipientName, pdf.revisionNumber].filter(Boolean).join(" ");
  return `${said.replace(/[\p{Cc}\\/:*?"<>|.]+/gu, " ").replace(/\s+/g, " ").trim().slice(0, 80)}.pdf`;
}

/** @typedef {{ subject: string, body: string, aiDrafted: boolean }} Message */
