// People of earlier orders: whom a name that is typed may mean, each with the phone that was given.

import { matches } from "./search.js";

/** @typedef {{ name: string, phone: string }} Person */

/**
 * Two phones are two people. A name without one is offered where it has none anywhere, and no customer is called so.
 * @param {string} text what was typed
 * @param {readonly Person[]} uses latest first
 * @param {readonly Api.Customer[]} customers who are offered anyway
 * @returns {Person[]}
 */
export function peopleLike(text, uses, customers) {
  if (text.trim() === "") return [];
  const meant = uses.filter(({ name }) => name && matches(text, name));
  const taken = new Set(
    customers.flatMap(({ name, phones }) => phones.map(({ number }) => keyOf(name, number))),
  );
  const named = new Set([
    ...customers.map(({ name }) => name),
    ...meant.filter(({ phone }) => phone).map(({ name }) => name),
  ]);
  /** @type {Map<string, Person>} */
  const found = new Map();
  for (const { name, phone } of meant) {
    const key = keyOf(name, phone);
    // The name that is typed already says nothing new by itself.
    const isKnown = phone ? taken.has(key) : named.has(name) || name === text;
    if (!isKnown && !found.has(key)) found.set(key, { name, phone });
  }
  return [...found.values()];
}

/** @param {string} name @param {string} phone */
function keyOf(name, phone) {
  return `${name} ${phone.replace(/\D/g, "")}`;
}
