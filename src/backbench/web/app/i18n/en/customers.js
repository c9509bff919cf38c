import { pluralOf } from "../plurals.js";

/** Words of customers. */
export const customers = {
  title: "Customers",
  customer: "Customer",
  search: "Name, digits or email",
  letters: "Letters",
  empty: "Who do you work for? Add a customer, and their number is one tap away.",
  first: "Add a customer",
  fromFile: "Import from a file",
  add: "New customer",
  /** @param {string} query */
  nothingFound: (query) => `No customer found for “${query}”.`,
  contacts: "From the phone’s contacts",
  save: "Save",
  nameMissing: "A customer needs a name.",
  name: "Name",
  kind: "Kind",
  kinds: { person: "Person", company: "Company" },
  phone: "Phone",
  /** @param {number} number */
  phoneNumber: (number) => `Phone ${number}`,
  anotherPhone: "Add a phone",
  email: "Email",
  /** @param {number} number */
  emailNumber: (number) => `Email ${number}`,
  anotherEmail: "Add an email",
  address: "Address",
  siteAddress: "Site",
  taxId: "Tax number",
  locale: "Language of documents",
  locales: { none: "As usual", en: "English", pl: "Polish" },
  notes: "Notes",
  notesHelp: "For you only: never on a document.",
  facts: "Details",
  call: "Call",
  message: "Message",
  write: "Email",
  map: "Map",
  gone: "This customer is no longer here.",
  back: "To the customers",

  openOrders: "Open orders",
  history: "History",
  noHistory: "Nothing yet.",
  more: "Show more",
  /** @param {string} sum */
  sum: (sum) => `Orders: ${sum}`,
  entries: {
    order: "Order",
    estimate: "Estimate",
    decision: "Decision",
    payment: "Payment",
    notice: "Told the customer",
  },
  states: {
    received: "Received",
    waiting: "Waiting",
    in_progress: "In progress",
    ready: "Ready",
    collected: "Collected",
    draft: "Draft",
    confirmed: "Confirmed",
    changed: "Changed",
    accepted: "Accepted",
    declined: "Declined",
    voided: "Withdrawn",
    delayed: "Delayed",
    reminder: "Reminder",
  },

  alike: "May be the same person",
  /** @param {string} name */
  merge: (name) => `Merge with ${name}`,
  mergeHelp: "Orders, estimates, phones and emails come together here. You can undo it for 30 days.",
  /** @param {string} name */
  merged: (name) => `${name} merged`,
  mergeOther: "Merge with another customer",
  mergeTitle: "With whom?",

  delete: "Delete the customer’s card",
  /** @param {string} name */
  deleted: (name) => `${name} deleted`,
  erase: "Erase everything about this person",
  eraseTitle: "Erase",
  /** @param {string} name */
  eraseText: (name) =>
    `Name, phones, emails, addresses, tax number and notes of ${name} are deleted: here, in orders, and in estimates that were never confirmed. This cannot be undone.`,
  eraseStays:
    "Confirmed documents and decisions stay: you must be able to prove them. Texts that you wrote by hand stay, too, and are listed.",
  eraseNow: "Erase permanently",
  erasedTitle: "Erased",
  nothingKept: "Nothing about this person is left.",
  kept: "This stays:",
  reasons: {
    confirmed: "a confirmed document",
    decided: "what the client decided",
    free_text: "a text written by hand that names the person",
  },
  keptKinds: {
    order: "Order",
    question: "Question about an order",
    photo: "Caption of a photo",
    payment: "Note of a payment",
    estimate: "Estimate",
    revision: "Confirmed estimate",
    decision: "Decision",
    comment: "Question or comment",
    customer: "Notes of another customer",
    workshop: "Notes about the workshop",
  },
  openKept: "Open",
  data: "Everything about this person as a file",

  proposed: "From your estimates and orders",
  proposedHelp: "Tap to keep somebody as a customer. Nobody is added without your tap.",
  /** @param {string} name */
  keep: (name) => `Keep ${name} as a customer`,
  /** @param {string} name */
  keptNow: (name) => `${name} is a customer now`,
  keepTyped: "Keep as a customer",
  keepUsually: "Keep new people as customers",
  keepUsuallyHelp: "At the intake the switch is on from the start. It can be turned off each time.",
  newOrder: "New order",
  newEstimate: "New estimate",
  /** @param {string} sum */
  owed: (sum) => `Still to pay: ${sum}`,
  /** @param {string} name */
  ofCustomer: (name) => `Customer: ${name}`,
  detach: "Not this customer",
  openCard: "Open the card",
  known: "Customers",
  /** @param {number} count */
  count: (count) => pluralOf("en", count, { one: `${count} customer`, other: `${count} customers` }),
};
