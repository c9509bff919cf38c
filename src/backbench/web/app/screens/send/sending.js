// Sending: what is known about the way of one estimate out of the workshop.

import { call } from "../../api/client.js";
import { Problem } from "../../api/problems.js";
import { connection } from "../../state/connection.js";
import { estimate, facts, openEstimate } from "../../state/estimates.js";
import { pricesOf } from "../../state/totals.js";
import { loadShared, shared } from "../../state/links.js";
import { keepRead } from "../../state/records.js";
import { isPending, replica, settle } from "../../state/outbox.js";
import { received } from "../../state/sync/pull.js";
import { computed, signal } from "../../vendor/signals.js";
import { chosen } from "./choices.js";

/** @typedef {"" | "saving" | "confirming" | "drawing" | "writing" | "fetching"} Progress */
/** What was asked for: the choices and the content at that moment. Nothing that changes later changes what leaves.
 * @typedef {{ chosen: typeof chosen.value, content: string, number: number }} Order */
/** What leaves the workshop, as it was ordered: the message, the link with its address, the stored PDF with its file.
 * `address` is "" until it is wanted again.
 * @typedef {{ id: string, order: Order, message: Api.DraftedMessage, link?: Api.Link, address: string, pdf?: Api.PdfExport, file?: File }} Package */
/** @typedef {ReturnType<typeof create>} Sending */

/** The latest ones, so that what was fetched is there again when the screen is. @type {Map<string, Sending>} */
const opened = new Map();
const KEPT = 5;

/** The same one when the server has given an estimate its id: it may have been pressed before. @param {string} id @returns {Sending} */
export function sendingOf(id) {
  const present = replica.presentId(id);
  const [key = id, found = create(id)] = [...opened].find(([each]) => replica.presentId(each) === present) ??
    [];
  opened.delete(key);
  opened.set(key, found);
  for (const [first] of opened) if (opened.size > KEPT) opened.delete(first);
  return found;
}

/** @param {string} id */
function create(id) {
  const content = computed(() => contentOf(id));
  const known = knownOf();
  const summary = computed(() => replica.views.estimateSummary.get(replica.presentId(id)) ?? null);
  return {
    id,
    content,
    summary,
    ...known,
    ...messages(),
    progress: signal(/** @type {Progress} */ ("")),
    problem: signal(/** @type {Problem | null} */ (null)),
    /** Whether what is to be sent differs from the latest revision. */
    isChanged: computed(() =>
      isPending(id) ||
      (known.confirmed.value === null
        ? summary.value?.state !== "confirmed"
        : content.value !== known.confirmed.value)
    ),
    /** What can be shared now, or null. */
    ready: computed(() => {
      const made = known.last.value;
      return made && isCurrent(made, id, content.value) ? made : null;
    }),
    /** Whether the revision that was confirmed was not read yet. */
    isUnread: false,
    /** Whether the client may answer with a new link. */
    canDecide: signal(true),
  };
}

/** Whether it is still what was asked for, and its link still leads there. @param {Package} made @param {string} id @param {string} content */
function isCurrent(made, id, content) {
  const { chosen: choices, content: ordered, number } = made.order;
  if (ordered !== content || JSON.stringify(choices) !== JSON.stringify(chosen.value)) return false;
  const { link } = made;
  if (!link) return true;
  return shared(id).value?.links.some((each) =>
    each.id === link.id && each.state !== "revoked" && each.revisionNumber === number
  ) ?? false;
}

function knownOf() {
  return {
    /** The content of the latest revision; null until it is known. */
    confirmed: signal(/** @type {string | null} */ (null)),
    last: signal(/** @type {Package | null} */ (null)),
    handoffs: signal(/** @type {Api.Handoff[] | null} */ (null)),
    /** What was handed over since the screen was opened. */
    handed: signal(/** @type {Api.NewHandoff | null} */ (null)),
    /** A hand-off that is not stored yet. */
    unrecorded: signal(/** @type {Api.NewHandoff | null} */ (null)),
  };
}

function messages() {
  return {
    /** The message as the person changed it, or null. */
    edited: signal(/** @type {string | null} */ (null)),
    /** The message in the form of an email. */
    email: signal(/** @type {{ message: Api.DraftedMessage, of: Package } | null} */ (null)),
  };
}

/** All that a revision holds, as text. @param {string} id */
function contentOf(id) {
  const shown = estimate(id).value;
  if (!shown) return "";
  const { name, recipientName = "", markupPercent, discountPercent, lineItems } = shown;
  const document = { ...facts(id).value, pricesEntered: pricesOf(id) };
  return JSON.stringify([name, recipientName, markupPercent, discountPercent, lineItems, document], inOrder);
}

/** What the server gives in another order is the same. @param {string} _ @param {unknown} value */
function inOrder(_, value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1));
}

/** Reads what the server knows. Needs a connection. Throws Problem. @param {Sending} sending */
export async function openSending(sending) {
  if (!connection.peek().online) throw new Problem(0, "offline");
  await openEstimate(sending.id);
  const id = await settle(sending.id);
  await Promise.all([loadSummary(sending), loadHandoffs(sending, id), loadShared(id)]);
}

/** @param {Sending} sending */
export async function loadSummary(sending) {
  const shown = estimate(sending.id).peek();
  if (!shown) return;
  const found = await keepRead("estimateSummary", shown.id, () => readSummary(shown));
  if (found?.value.state === "confirmed" && !isPending(sending.id)) {
    sending.confirmed.value = sending.content.peek();
  }
}

/** @param {Api.Estimate} shown */
async function readSummary({ id, workshopId }) {
  const { summaries } = await call("GET /workshops/{workshopId}/estimate-summaries", {
    workshopId,
    estimateId: id,
  });
  const [found] = summaries;
  return found && received(replica, "estimateSummary", found, workshopId, id);
}

/** @param {Sending} sending @param {string} id */
export async function loadHandoffs(sending, id) {
  sending.handoffs.value = (await call("GET /estimates/{estimateId}/handoffs", { estimateId: id })).handoffs;
}

/** The number of the revision that was confirmed last, or 0. @param {Sending} sending */
export function latestNumber(sending) {
  return sending.summary.value?.latestRevision?.number ?? 0;
}
