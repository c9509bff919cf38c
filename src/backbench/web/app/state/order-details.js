// What belongs to an order besides: its details, whether it was collected, what its customer was told and asked.

import { call, request } from "../api/client.js";
import { workName } from "../domain/work-name.js";
import { signal } from "../vendor/signals-core.js";
import { loadOnce } from "./catalog.js";
import { command } from "./commands.js";
import { add, createOrder, ofOrder } from "./orders.js";
import { replica, settle } from "./outbox.js";
import { change, open, record, softly } from "./records.js";

/** @template T @typedef {import("../vendor/signals-core.js").Signal<T>} Signal */

/** The words of every craft, or null until they are known. @type {Signal<Api.IntakeWords | null>} */
export const intakeWords = signal(null);

export function loadIntakeWords() {
  return loadOnce("intake", intakeWords, () => call("GET /catalog/intake"));
}

/** As far as this browser knows them. @param {string} id of the order @returns {Partial<Api.OrderDetails>} */
export function detailsOf(id) {
  return record("orderDetails", id).value ?? {};
}

/** The newest first. @param {string} id @returns {Api.Notice[]} */
export function noticesOf(id) {
  return record("orderNotices", id).value?.notices ?? [];
}

/** The oldest first. @param {string} id @returns {Api.OrderQuestion[]} */
export function questionsOf(id) {
  return record("orderQuestions", id).value?.questions ?? [];
}

/** What the customer signed; without `strokes` nobody has. @param {string} id @returns {Partial<Api.OrderSignature>} */
export function signatureOf(id) {
  return record("orderSignature", id).value ?? {};
}

/** Brings all of it up to date. @param {string} id */
export async function openDetails(id) {
  const { workshopId: of } = ofOrder(id);
  await Promise.all(
    /** @type {const} */ (["orderDetails", "orderNotices", "orderQuestions", "orderSignature"])
      .map((kind) => softly(() => open(kind, id, of))),
  );
}

/** null clears a fact. @param {string} id @param {Api.OrderDetailsEdit} fields */
export function editDetails(id, fields) {
  return change("orderDetails", "edit", id, fields, ofOrder(id));
}

/** @param {string} id @param {{ [K in keyof Api.OrderItem]: Api.OrderItem[K] | null }} fields */
export function editItem(id, fields) {
  return change("orderDetails", "editItem", id, fields, ofOrder(id));
}

/** Returns the id of the new order. @param {string} title @param {string} customerName @param {Api.OrderDetailsEdit} details those that are known @param {string} orderId that its photos have already */
export function takeIn(title, customerName, details, orderId) {
  const id = createOrder(title, customerName, orderId);
  if (Object.keys(details).length) editDetails(id, details);
  return id;
}

/** @param {string} id @param {number[][][]} strokes @param {string} name of who signed, where it was not the customer */
export function sign(id, strokes, name) {
  return add("orderSignature.sign", id, name ? { strokes, name } : { strokes });
}

/** @param {string} id */
export function clearSignature(id) {
  return add("orderSignature.clear", id, {});
}

/** Records that the customer was told. Sent after six seconds; `drop` with the returned key takes it back. @param {string} id @param {Pick<Api.Notice, "kind" | "channel">} notice */
export function addNotice(id, notice) {
  return add("orderNotices.add", id, { notice });
}

/** @param {string} id @param {string} text */
export function answer(id, text) {
  return add("orderQuestions.answer", id, { text });
}

/** Needs a connection. Throws Problem. @param {string} id @param {Api.NewOrderMessage} body */
export async function draftMessage(id, body) {
  return await call("POST /orders/{orderId}/message-draft", { orderId: await settle(id) }, { body });
}

/**
 * The estimate became work. Returns the id of the order. Needs a connection. Throws Problem.
 * @param {string} estimateId
 * @param {Api.OrderFromEstimate} [body]
 */
export async function createOrderOf(estimateId, body = {}) {
  const id = await settle(estimateId);
  // Its lines name the order where nobody has named the estimate.
  await softly(() => open("estimate", id));
  const known = replica.views.estimate.peek().get(id);
  const title = known && workName(known.name, known.lineItems);
  if (title && title !== known.name) body = { title, ...body };
  const { data, etag } = await command(
    ["order of", id, body],
    (key) => request("POST /estimates/{estimateId}/orders", { estimateId: id }, { body, key }),
  );
  await replica.commit({
    objects: [{ kind: "order", id: data.id, workshopId: data.workshopId, value: data, etag }],
  });
  return data.id;
}
