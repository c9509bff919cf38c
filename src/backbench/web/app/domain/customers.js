// Customers: how they are found, sorted and reached.

import { dialled } from "./phones.js";
import { folded, matches } from "./search.js";

/** By name, as people of the language expect it. @param {Api.Customer[]} customers @param {string} language */
export function sorted(customers, language) {
  const { compare } = new Intl.Collator(language);
  return [...customers].sort((one, other) => compare(one.name, other.name) || (one.id < other.id ? -1 : 1));
}

/** The letter under which a customer stands; "#" for what begins with none. @param {string} name */
export function letterOf(name) {
  const [first = ""] = name.trim().toLocaleUpperCase();
  return /\p{L}/u.test(first) ? first : "#";
}

/** Whether the customer is meant: by a part of each word of the name, of an email, or of the digits of a phone. @param {Api.Customer} customer @param {string} query */
export function isMeant({ name, emails, phones }, query) {
  const wanted = folded(query).trim();
  const digits = digitsOf(query);
  if (digits && /^[\d+\-/(). \u00a0]+$/.test(query.trim())) {
    return phones.some(({ number, e164 = "" }) =>
      [number, e164].some((one) => digitsOf(one).includes(digits))
    );
  }
  const texts = folded([name, ...emails].join("\n"));
  return wanted.split(/\s+/).every((word) => texts.includes(word));
}

/** @param {string} text */
function digitsOf(text) {
  return text.replace(/\D/g, "");
}

/** Whether two records may be of one person. @param {Api.Customer} one @param {Api.Customer} other */
export function isAlike(one, other) {
  const keys = new Set(keysOf(one));
  return keysOf(other).some((key) => keys.has(key));
}

/** @param {Api.Customer} customer */
function keysOf({ phones, emails, taxId = "" }) {
  const tax = folded(taxId).replace(/[^a-z0-9]/g, "").replace(/^[a-z]{2}(?=\d+$)/, "");
  return [
    ...phones.flatMap(({ e164 }) => e164 ? [e164] : []),
    ...emails.map((email) => email.toLowerCase()),
    ...(tax ? [`tax ${tax}`] : []),
  ];
}

/** The number to call: international where it is known. @param {Api.CustomerPhone} phone */
export function callable({ number, e164 }) {
  return e164 && !dialled(number).extension ? e164 : number;
}

/**
 * The link that writes to an address and to nobody else: one may contain `?` and `&`. Without an address the person is
 * chosen there. RFC 6068 has one form of line ends, and none of them in a subject.
 * @param {string} email @param {{ subject: string, body: string }} [message]
 */
export function mailTo(email, message) {
  const link = `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
  if (!message) return link;
  const subject = encodeURIComponent(message.subject.replace(/\s+/g, " "));
  return `${link}?subject=${subject}&body=${encodeURIComponent(message.body.replace(/\r?\n/g, "\r\n"))}`;
}

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
