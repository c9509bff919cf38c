// Customers: all of the workshop's, found by name, digits or email, with the letters at the edge.

import { notYet, useAnswer } from "../components/answer.js";
import { boundFields } from "../components/bound-fields.js";
import { actionButton, useAnnounced } from "../components/action-button.js";
import { choice } from "../components/controls.js";
import { emptyState } from "../components/notice.js";
import { frame } from "../components/frame.js";
import { linkRow, linkRows } from "../components/link-row.js";
import { sheet } from "../components/sheet.js";
import { button, component, div, h2, nav, p, section } from "../components/tags.js";
import { textField, useSearched } from "../components/text-field.js";
import { letterOf } from "../domain/customers.js";
import {
  createCustomer,
  customers,
  customersLike,
  findCustomers,
  hasCustomers,
  keepsCustomers,
  loadCustomers,
  readCustomers,
} from "../state/customers.js";
import { editedSettings } from "../state/edits.js";
import { editFacts } from "../state/estimates.js";
import { detailsOf, editDetails } from "../state/order-details.js";
import { orders } from "../state/orders.js";
import { go } from "../state/router.js";
import { summaries } from "../state/summaries.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { customerWords } from "../words/customers.js";
import { useRecipients } from "./recipients.js";
/** Of more customers one letter is shown at a time. */
const AT_ONCE = 200;
/** Below this many, letters help nobody. */
const LETTERED = 12;

/** What was looked for last: coming back from a card leads to it. */
const query = signal("");
const letter = signal("");

export function screen() {
  const [isNew, setNew] = useState(false);
  useEffect(() => void loadCustomers(), []);
  const q = query.value.trim();
  useSearched(q, findCustomers);
  const text = customerWords.value;
  const add = actionButton({
    label: text.add,
    icon: "user-plus",
    wide: true,
    onClick: () => setNew(true),
  });
  return frame(
    { title: text.title, place: "customers" },
    customers.value.length > 0 && [add, search()],
    list(q, () => setNew(true)),
    !q && component(Proposed, {}),
    !q && keepUsually(),
    isNew && component(NewCustomerSheet, { name: q, onClose: () => setNew(false) }),
  );
}

/** Whether who is typed at an intake becomes a customer, unless it is said otherwise. */
function keepUsually() {
  const record = editedSettings();
  if (!record.value.value) return null;
  const { keepUsually: keepCustomers, keepUsuallyHelp: keepCustomersHelp } = customerWords.value;
  const field = boundFields(record, { keepCustomers, keepCustomersHelp });
  return section({ class: "panel" }, field.toggle("keepCustomers", keepsCustomers.value));
}

function search() {
  const text = customerWords.value;
  return textField({
    label: text.search,
    bare: true,
    placeholder: text.search,
    type: "search",
    autocomplete: "off",
    value: query.value,
    onInput: (value) => (query.value = value),
  });
}

/** @param {string} q @param {() => void} onNew */
function list(q, onNew) {
  const text = customerWords.value;
  if (q) {
    const found = customersLike(q).slice(0, AT_ONCE);
    return found.length ? linkRows({}, ...found.map(row)) : p({ class: "quiet-text" }, text.nothingFound(q));
  }
  const all = customers.value;
  if (!all.length) return hasCustomers.value ? nobody(onNew) : component(Later, {});
  const letters = [...new Set(all.map(({ name }) => letterOf(name)))];
  const isLong = all.length > AT_ONCE;
  const shown = isLong ? letters.filter((each) => each === (letter.value || letters[0])) : letters;
  return div(
    { class: "customer-list" },
    div(
      { class: "stack" },
      ...shown.map((each) =>
        section(
          { class: "customer-group", key: each },
          h2({ id: `letter-${each}`, class: "customer-letter", tabIndex: -1 }, each),
          linkRows({}, ...all.filter(({ name }) => letterOf(name) === each).map(row)),
        )
      ),
    ),
    all.length >= LETTERED && edge(letters, isLong),
  );
}

/** The letters at the edge. @param {string[]} letters @param {boolean} isLong */
function edge(letters, isLong) {
  return nav(
    { class: "customer-edge", "aria-label": customerWords.value.letters },
    ...letters.map((each) =>
      button(
        {
          key: each,
          type: "button",
          "aria-pressed": isLong ? each === (letter.value || letters[0]) : undefined,
          onClick: () => {
            letter.value = each;
            const heading = document.getElementById(`letter-${each}`);
            heading?.scrollIntoView({ block: "start" });
            heading?.focus({ preventScroll: true });
          },
        },
        each,
      )
    ),
  );
}

/** @param {Api.Customer} customer */
function row(customer) {
  const [phone] = customer.phones;
  return linkRow({
    href: `/customers/${customer.id}`,
    title: customer.name,
    detail: phone?.number ?? customer.emails[0],
    icon: customer.kind === "company" ? "briefcase" : "user",
  });
}

/** @param {() => void} onNew */
function nobody(onNew) {
  const text = customerWords.value;
  return div(
    { class: "stack" },
    emptyState({ text: text.empty, action: { label: text.first, icon: "user-plus", onClick: onNew } }),
    actionButton({
      label: text.fromFile,
      icon: "file-text",
      kind: "quiet",
      href: "/shop/connections/imports",
    }),
  );
}

function Later() {
  return notYet({ ...useAnswer(readCustomers), data: null });
}

// Proposed: people of earlier estimates and orders who have no record yet. Nobody is added without a tap.

const SHOWN = 8;

function Proposed() {
  const known = useRecipients();
  const [said, setSaid] = useState("");
  useAnnounced(said);
  const names = new Set(customers.value.map(({ name }) => name.toLowerCase()));
  const proposed = known.filter(({ name, customerId }) => !customerId && !names.has(name.toLowerCase()));
  if (!proposed.length) return null;
  const text = customerWords.value;
  const take = (/** @type {Api.Recipient} */ one) => (keep(one), setSaid(text.keptNow(one.name)));
  return section(
    { class: "stack" },
    h2({}, text.proposed),
    p({ class: "quiet-text" }, text.proposedHelp),
    div(
      { class: "chips" },
      ...proposed.slice(0, SHOWN).map((one) =>
        button(
          {
            key: one.name,
            class: "chip",
            type: "button",
            "aria-label": text.keep(one.name),
            onClick: () => take(one),
          },
          `+ ${one.name}`,
        )
      ),
    ),
  );
}

/** The customer, named by the orders and estimates for the same name that this browser has. @param {Api.Recipient} recipient */
function keep({ name, address, taxId, email, phone }) {
  const customerId = createCustomer({
    name,
    ...(phone ? { phones: [{ number: phone.slice(0, 40) }] } : {}),
    ...(email?.includes("@") ? { emails: [email] } : {}),
    ...(address ? { address } : {}),
    ...(taxId ? { taxId } : {}),
  });
  const isSame = (/** @type {string | undefined} */ other) => other?.toLowerCase() === name.toLowerCase();
  for (const order of orders.peek()) {
    if (isSame(order.customerName) && !detailsOf(order.id).customerId) editDetails(order.id, { customerId });
  }
  for (const { estimateId, recipientName } of summaries.peek()) {
    if (isSame(recipientName)) editFacts(estimateId, { customerId });
  }
}

// New customer: a name and a number are enough; the rest is added on the card.

/** @param {{ name: string, onClose: () => void }} props */
function NewCustomerSheet({ name, onClose }) {
  const [facts, setFacts] = useState(/** @type {Api.NewCustomer} */ ({ name, kind: "person" }));
  const set = (/** @type {Partial<Api.NewCustomer>} */ more) => setFacts({ ...facts, ...more });
  const text = customerWords.value;
  const take = async () => {
    const found = await pickContact();
    if (found) set({ ...found, name: found.name || facts.name });
  };
  const save = () => {
    if (facts.name.trim() === "") return;
    const id = createCustomer({ ...facts, name: facts.name.trim() });
    onClose();
    go(`/customers/${id}`);
  };
  const disabled = facts.name.trim() === "";
  const foot = actionButton({ label: text.save, kind: "main", wide: true, disabled, onClick: save });
  return sheet(
    { title: text.add, onClose, foot },
    div(
      { class: "stack" },
      hasContacts() && actionButton({ label: text.contacts, icon: "user", onClick: () => void take() }),
      ...fieldsOf(facts, set),
    ),
  );
}

/** @param {Api.NewCustomer} facts @param {(more: Partial<Api.NewCustomer>) => void} set */
function fieldsOf(facts, set) {
  const text = customerWords.value;
  return [
    textField({
      label: text.name,
      value: facts.name,
      maxLength: 250,
      autofocus: true,
      autocomplete: "off",
      onInput: (value) => set({ name: value }),
    }),
    textField({
      label: text.phone,
      type: "tel",
      value: facts.phones?.[0]?.number ?? "",
      maxLength: 40,
      autocomplete: "off",
      onInput: (value) =>
        set({
          phones: [...value.trim() ? [{ number: value.trim() }] : [], ...facts.phones?.slice(1) ?? []],
        }),
    }),
    kindOf(facts, set),
  ];
}

/** @param {Api.NewCustomer} facts @param {(more: Partial<Api.NewCustomer>) => void} set */
function kindOf(facts, set) {
  const text = customerWords.value;
  return choice({
    label: text.kind,
    value: facts.kind ?? "person",
    options: [
      { value: "person", label: text.kinds.person },
      { value: "company", label: text.kinds.company },
    ],
    onChange: (kind) => set({ kind }),
  });
}

/** @typedef {{ name?: string[], tel?: string[], email?: string[] }} Contact */
/** @typedef {{ select: (properties: string[]) => Promise<Contact[]> }} Contacts */

const MOST = 5;

/** @returns {Contacts | undefined} */
function contacts() {
  return /** @type {any} */ (navigator).contacts;
}

function hasContacts() {
  return typeof contacts()?.select === "function";
}

/** What the chosen contact says; null where none was chosen. @returns {Promise<Api.NewCustomer | null>} */
async function pickContact() {
  const [found] = await contacts()?.select(["name", "tel", "email"]) ?? [];
  if (!found) return null;
  return {
    name: found.name?.[0]?.trim() ?? "",
    phones: unique(found.tel).map((number) => ({ number })),
    emails: unique(found.email),
  };
}

/** @param {string[]} [texts] */
function unique(texts = []) {
  return [...new Set(texts.map((text) => text.trim()).filter(Boolean))].slice(0, MOST);
}
