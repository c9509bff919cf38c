// People of orders: those of this device, and those of older orders that the server finds.

import { call } from "../api/client.js";
import { computed, signal } from "../vendor/signals-core.js";
import { peopleLike } from "../domain/people.js";
import { detailsOf } from "./order-details.js";
import { orders } from "./orders.js";
import { softly } from "./records.js";
import { documentSettings, workshopId } from "./workshops.js";

/** @typedef {import("../domain/people.js").Person} Person */

const FOUND = 20;

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
