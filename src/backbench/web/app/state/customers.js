// Customers of the workshop that is shown. This browser keeps those that come first by name, up to a limit.

import { call, request } from "../api/client.js";
import { pageOf, rowsFrom } from "../api/lists.js";
import { isAlike, isMeant, peopleLike, sorted } from "../domain/customers.js";
import { localId } from "../domain/ids.js";
import { computed, signal } from "../vendor/signals-core.js";
import { once } from "./commands.js";
import { on } from "./live.js";
import { detailsOf } from "./order-details.js";
import { orders } from "./orders.js";
import { enqueue, replica, settle } from "./outbox.js";
import { act, change, open, record, softly } from "./records.js";
import { received } from "./sync/pull.js";
import { documentSettings, factOf, workshopId } from "./workshops.js";

/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

// Of more customers the server is asked while somebody types.
const KEPT = 2000;
const HISTORY = 20;
const FOUND = 20;

/** By name. @type {ReadonlySignal<Api.Customer[]>} */
export const customers = computed(() =>
  sorted(
    [...replica.views.customer.value.values()].filter((one) => one.workshopId === workshopId.value),
    "pl",
  )
);
/** Whether the customers were loaded on this device: all, or as many as are kept. */
const loaded = factOf("customers", /** @type {"all" | "some" | null} */ (null));

/** Whether it is known that no customers means that there are none. */
export const hasCustomers = computed(() => loaded.value !== null);

/** Reads the customers of the workshop, once on a device; then they follow its changes. Throws Problem. */
export async function readCustomers() {
  const id = workshopId.peek();
  if (id && !await replica.fact(`customers:${id}`)) await load(id);
}

/** The same; without a connection the stored ones stay. */
export const loadCustomers = () => softly(readCustomers);

/** @param {string} id */
async function load(id) {
  const sequence = replica.sequence();
  /** @type {import("../api/lists.js").Rows<Api.Customer>} */
  const { rows, next } = await rowsFrom(
    (query) =>
      pageOf(request("GET /workshops/{workshopId}/customers", { workshopId: id, ...query }), "customers"),
    () => KEPT,
  );
  const found = next === null ? "all" : "some";
  const ids = new Set(rows.map((one) => one.id));
  const isNew = (/** @type {{id: string}} */ one) => !replica.touchedSince("customer", one.id, sequence);
  const gone = [...replica.bases.customer.peek().values()]
    .filter((one) => one.workshopId === id && found === "all" && !ids.has(one.id) && isNew(one));
  await replica.commit({
    objects: rows.filter(isNew).map((one) => received(replica, "customer", one, id)),
    removed: gone.map((one) => ["customer", one.id]),
    facts: { [`customers:${id}`]: found },
  });
  if (id === workshopId.peek()) loaded.value = found;
}

/** Starts what lasts as long as the page: after the lists were loaded anew, so are the customers. */
export function startCustomers() {
  on("pulled", () => void loadCustomers());
  void loadCustomers();
}

/** Those that are meant, by name. @param {string} query */
export function customersLike(query) {
  return query.trim() === "" ? [] : customers.value.filter((one) => isMeant(one, query));
}

/** Asks the server for those that this browser does not keep. @param {string} query */
export async function findCustomers(query) {
  const id = workshopId.peek();
  if (query.trim() === "" || loaded.peek() === "all") return;
  await softly(async () => {
    const { data } = await request("GET /workshops/{workshopId}/customers", {
      workshopId: id,
      q: query.trim(),
      limit: FOUND,
    });
    await replica.commit({ objects: data.customers.map((one) => received(replica, "customer", one, id)) });
  });
}

/** @param {string | undefined} id @returns {Api.Customer | undefined} */
export function customerOf(id) {
  return id ? record("customer", id).value : undefined;
}

/** Reads one customer, with those that may be the same person. Throws Problem where there is none to show. @param {string} id */
export function openCustomer(id) {
  return open("customer", id);
}

/** Others that may be the same person. @param {Api.Customer} customer */
export function alike(customer) {
  const named = new Set(customer.duplicates ?? []);
  return customers.value.filter((one) =>
    one.id !== customer.id && (named.has(one.id) || isAlike(one, customer))
  );
}

/** Returns the id of the new customer. @param {Api.NewCustomer} facts */
export function createCustomer(facts) {
  const id = localId();
  enqueue("customer.create", id, workshopId.peek(), facts);
  return id;
}

/** null clears a fact. @param {string} id @param {Api.CustomerEdit} fields */
export function editCustomer(id, fields) {
  return change("customer", "edit", id, fields);
}

/** Sent after six seconds; `drop` with the returned key takes it back. @param {string} id */
export function deleteCustomer(id) {
  return act("customer", "delete", id, {});
}

/** A page of the history, newest first. Throws Problem. @param {string} id @param {string} cursor @returns {Promise<import("../api/lists.js").Rows<Api.HistoryEntry>>} */
export function olderHistory(id, cursor) {
  return pageOf(
    request("GET /customers/{customerId}/history", { customerId: id, limit: HISTORY, cursor }),
    "entries",
  );
}

/** The newest entries of the history, at least as many as are shown. Throws Problem. @param {string} id @param {number} shown @returns {Promise<import("../api/lists.js").Rows<Api.HistoryEntry>>} */
export function newestHistory(id, shown) {
  return rowsFrom(
    (query) =>
      pageOf(request("GET /customers/{customerId}/history", { customerId: id, ...query }), "entries"),
    () => Math.max(HISTORY, shown),
  );
}

/** What was merged on this device, by the id of the customer. @type {import("../vendor/signals-core.js").Signal<Readonly<Record<string, {fromId: string, name: string, at: number} | undefined>>>} */
export const merges = factOf("merged", {});

/** @param {string} id @param {{fromId: string, name: string, at: number}} [merge] */
function keepMerge(id, merge) {
  merges.value = { ...merges.peek(), [id]: merge };
  void replica.commit({ facts: { [`merged:${workshopId.peek()}`]: merges.peek() } });
}

/** Needs a connection. Throws Problem. @param {string} id @param {string} fromId */
export async function merge(id, fromId) {
  const name = customerOf(fromId)?.name ?? "";
  const [into, from] = [await settle(id), await settle(fromId)];
  const data = await once("POST /customers/{customerId}/merge", { customerId: into }, {
    body: { fromId: from },
  });
  await replica.commit({
    objects: [received(replica, "customer", data, data.workshopId)],
    removed: [["customer", from]],
  });
  keepMerge(into, { fromId: from, name, at: Date.now() });
}

/** Takes a merge back. Throws Problem. @param {string} id @param {string} fromId */
export async function unmerge(id, fromId) {
  const data = await once("POST /customers/{customerId}/unmerge", { customerId: id }, { body: { fromId } });
  await replica.commit({ objects: [received(replica, "customer", data, data.workshopId)] });
  keepMerge(id);
  await open("customer", id);
}

/** Returns what is still stored of the person. Needs a connection. Throws Problem. @param {string} id */
export async function erase(id) {
  const present = await settle(id);
  const { kept } = await once("POST /customers/{customerId}/erase", { customerId: present }, { body: {} });
  await replica.commit({ removed: [["customer", present]] });
  keepMerge(present);
  return kept;
}

/** @typedef {import("../domain/customers.js").Person} Person */

/** Those that the server found last. @type {import("../vendor/signals-core.js").Signal<{ id: string, people: Person[] }>} */
const found = signal({ id: "", people: [] });

/** Whether who is typed at an intake usually becomes a customer. */
export const keepsCustomers = computed(() => documentSettings.value?.keepCustomers === true);

/** Whom a name may mean, but for customers who are offered anyway. @param {string} text @param {Api.Customer[]} customers */
export function peopleOf(text, customers) {
  const own = orders.value.filter(({ id }) => !detailsOf(id).customerId)
    .map(({ id, customerName }) => ({ name: customerName, phone: detailsOf(id).phone ?? "" }));
  const { id, people } = found.value;
  return peopleLike(text, id === workshopId.value ? [...own, ...people] : own, customers);
}

/** Asks the server for people of orders that this device does not have. @param {string} text */
export async function findPeople(text) {
  const id = workshopId.peek();
  if (text.trim() === "") return;
  await softly(async () => {
    const { summaries } = await call("GET /workshops/{workshopId}/order-summaries", {
      workshopId: id,
      q: text.trim(),
      limit: FOUND,
    });
    const people = summaries.filter(({ customerId }) => !customerId)
      .map(({ customerName, phone = "" }) => ({ name: customerName, phone }));
    found.value = { id, people };
  });
}
