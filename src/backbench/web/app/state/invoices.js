// Invoices of orders and of the workshop. What was read stays readable without a connection; to make and to issue one
// needs the server.

import { call, request } from "../api/client.js";
import { pageOf } from "../api/lists.js";
import { Problem } from "../api/problems.js";
import { inOrder } from "../domain/invoices.js";
import { isLocal } from "../domain/ids.js";
import { computed, signal } from "../vendor/signals-core.js";
import { command } from "./commands.js";
import { customerOf, editCustomer, openCustomer } from "./customers.js";
import { on } from "./live.js";
import { detailsOf } from "./order-details.js";
import { ofOrder } from "./orders.js";
import { replica, settle } from "./outbox.js";
import { act, change, open, record, shown, softly } from "./records.js";
import { received } from "./sync/pull.js";
import { same } from "./sync/values.js";
import { clock } from "./tickets.js";
import { workshopId } from "./workshops.js";

/** @typedef {Api.Invoice} Invoice */

// Of the server, for one request.
const MOST = 500;
const PAGE = 100;

const all = () => [.../** @type {Iterable<Invoice>} */ (replica.views.invoice.value.values())];

/** The newest first. @param {string} id of the order @returns {Invoice[]} */
export function invoicesOf(id) {
  const orderId = replica.presentId(id);
  return all().filter((one) => one.orderId === orderId).sort((one, other) =>
    one.createdAt < other.createdAt ? 1 : -1
  );
}

/** Those of the workshop that this browser has: what waits for money first, then drafts, then the newest. */
export const invoices = computed(() =>
  inOrder(all().filter((one) => one.workshopId === workshopId.value), clock.value.today)
);

/** @param {string} id @returns {Invoice | undefined} */
export const invoiceOf = (id) => record("invoice", id).value;

/** The same, as it is now. @param {string} id @returns {Invoice | undefined} */
export const shownInvoice = (id) => shown("invoice", id);

/** What is shown follows what others change, and payments, of which an invoice is paid. @type {{ ids: () => readonly (string | undefined)[], load: () => unknown } | null} */
let followed = null;
let isFollowing = false;

/** Loads whenever one of these objects, or the workshop, may have changed while it is shown. Returns how to end it. @param {() => readonly (string | undefined)[]} ids @param {() => unknown} load */
export function follow(ids, load) {
  const own = { ids, load };
  if (!isFollowing) {
    isFollowing = true;
    on("pulled", ({ isLoaded, hasWorkshop, ids: changed }) => {
      if (followed && (isLoaded || hasWorkshop || followed.ids().some((id) => id && changed.includes(id)))) {
        followed.load();
      }
    });
    addEventListener("online", () => followed?.load());
  }
  followed = own;
  return () => {
    if (followed === own) followed = null;
  };
}

/** Reads one as it is now. Throws Problem where there is none to show. @param {string} id */
export const openInvoice = (id) => open("invoice", id);

/** Brings those of an order up to date. @param {string} id of the order */
export async function loadInvoicesOf(id) {
  const orderId = replica.presentId(id);
  if (isLocal(orderId)) return;
  await softly(async () => {
    const sequence = replica.sequence();
    const { invoices } = await call("GET /orders/{orderId}/invoices", { orderId, limit: MOST });
    await take(invoices, sequence, (one) => one.orderId === orderId);
  });
}

/** Keeps a list. Those that it is of and lacks are gone; what has changed since it was asked for is newer here. @param {Invoice[]} list @param {number} sequence @param {(one: Invoice) => boolean} isOf */
function take(list, sequence, isOf) {
  const ids = new Set(list.map(({ id }) => id));
  const isFresh = (/** @type {string} */ id) => !replica.touchedSince("invoice", id, sequence);
  const gone = [...replica.bases.invoice.peek().values()]
    .filter(({ id, value }) => isOf(value) && !ids.has(id) && isFresh(id));
  return replica.commit({
    objects: list.filter(({ id }) => isFresh(id)).map((one) =>
      received(replica, "invoice", one, one.workshopId)
    ),
    removed: gone.map(({ id }) => ["invoice", id]),
  });
}

/** Where the list goes on, by workshop: "" after its end. @type {import("../vendor/signals-core.js").Signal<Readonly<Record<string, string>>>} */
const next = signal({});
export const hasMore = computed(() => Boolean(next.value[workshopId.value]));

/** Reads all that are past their due date and the newest of the others. Throws Problem. */
export async function loadInvoices() {
  const id = workshopId.value;
  const sequence = replica.sequence();
  const unpaid = await call("GET /workshops/{workshopId}/invoices", {
    workshopId: id,
    unpaid: "true",
    limit: MOST,
  });
  await take(unpaid.invoices, sequence, () => false);
  await loadPage(id, "");
}

/** The next page. Throws Problem. */
export const loadMoreInvoices = () => loadPage(workshopId.value, next.value[workshopId.value] ?? "");

/** @param {string} id of the workshop @param {string} cursor */
async function loadPage(id, cursor) {
  const sequence = replica.sequence();
  const { rows, next: more } = await pageOf(
    request("GET /workshops/{workshopId}/invoices", {
      workshopId: id,
      limit: PAGE,
      ...(cursor && { cursor }),
    }),
    "invoices",
  );
  const isWhole = !cursor && !more;
  await take(/** @type {Invoice[]} */ (rows), sequence, (one) => isWhole && one.workshopId === id);
  next.value = { ...next.peek(), [id]: more ?? "" };
}

/** @param {import("../api/client.js").Answer<Invoice>} answer */
async function kept({ data, etag }) {
  await replica.commit({
    objects: [{ kind: "invoice", id: data.id, workshopId: data.workshopId, value: data, etag }],
  });
  return data.id;
}

/** Makes a draft. Returns its id. Needs a connection. Throws Problem. @param {string} id of the order @param {Api.NewInvoice} body */
export async function makeInvoice(id, body) {
  const orderId = await settle(id);
  return kept(
    await command(
      ["invoice of", orderId, body],
      (key) => request("POST /orders/{orderId}/invoices", { orderId }, { body, key }),
    ),
  );
}

/**
 * Gives a draft its number: it never changes again. Only what was seen is issued. Needs a connection. Throws Problem
 * `conflict` where it is another one by now.
 * @param {Invoice} seen @param {string | undefined} issueDate today without one
 */
export async function issueInvoice(seen, issueDate) {
  const { id, orderId, workshopId: of } = seen;
  // Its seller is the workshop as the settings say it.
  await settle(of);
  const invoiceId = await settle(id);
  await open("invoice", invoiceId);
  if (!same(shown("invoice", invoiceId), seen, ["id"])) throw new Problem(409, "conflict");
  const body = issueDate ? { issueDate } : {};
  await kept(
    await command(
      ["issue", invoiceId, body],
      (key) => request("POST /invoices/{invoiceId}/issue", { invoiceId }, { body, key }),
    ),
  );
  // Of the others of its order something else may be left to pay.
  await loadInvoicesOf(orderId);
}

/** Makes the draft of a correction. Returns its id. Needs a connection. Throws Problem. @param {string} invoiceId @param {string} reason */
export async function correctInvoice(invoiceId, reason) {
  const body = { reason };
  return kept(
    await command(
      ["correction", invoiceId, body],
      (key) => request("POST /invoices/{invoiceId}/corrections", { invoiceId }, { body, key }),
    ),
  );
}

/** The draft of a correction has the lines and buyer that are valid now. Needs a connection. Throws Problem. @param {string} invoiceId */
export const beginAgain = async (invoiceId) =>
  kept(await request("PATCH /invoices/{invoiceId}", { invoiceId }, { body: { lines: null, buyer: null } }));

/** The file of an issued invoice. Needs a connection. Throws Problem `incomplete` with what it lacks. @param {string} invoiceId @param {"cii" | "ubl" | "fa3"} format */
export const xmlOf = (invoiceId, format) =>
  call("GET /invoices/{invoiceId}/xml", { invoiceId, format }, { as: "blob" });

/** Of a draft; null clears a member. @param {string} id @param {Api.InvoiceEdit} fields */
export function editInvoice(id, fields) {
  return change("invoice", "edit", id, fields);
}

/** Of a draft; null clears a fact, such as that the buyer is a consumer. @param {string} id @param {{ [K in keyof Api.NewBuyer]: Api.NewBuyer[K] | null }} fields */
export function editBuyer(id, fields) {
  return change("invoice", "editBuyer", id, fields);
}

/** Sent after six seconds; `drop` with the returned key takes it back. @param {string} id */
export function deleteInvoice(id) {
  return act("invoice", "delete", id, {});
}

/** The tax id of a buyer is asked once: the customer of the order has it from then on, if there was none, or the one that is corrected here. @param {string} orderId @param {string} taxId @param {string | undefined} before */
export async function keepTaxId(orderId, taxId, before) {
  await softly(() => open("orderDetails", orderId, ofOrder(orderId).workshopId));
  const { customerId } = detailsOf(orderId);
  if (!customerId || !taxId) return;
  await softly(() => openCustomer(customerId));
  const customer = customerOf(customerId);
  if (customer && (!customer.taxId || customer.taxId === before)) editCustomer(customer.id, { taxId });
}
