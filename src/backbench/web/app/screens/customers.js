// Customers: all of the workshop's, found by name, digits or email, with the letters at the edge.

import { actionButton } from "../components/action-button.js";
import { emptyState } from "../components/empty-state.js";
import { frame } from "../components/frame.js";
import { linkRow, linkRows } from "../components/link-row.js";
import { needsConnection } from "../components/needs-connection.js";
import { button, component, div, h2, nav, p, section } from "../components/tags.js";
import { recordConflict } from "../components/record-fields.js";
import { textField } from "../components/text-field.js";
import { toggle } from "../components/toggle.js";
import { letterOf } from "../domain/customers.js";
import { words } from "../words/words.js";
import { customerWords } from "../words/customers.js";
import { customers, customersLike, findCustomers, hasCustomers, loadCustomers } from "../state/customers.js";
import { editedSettings } from "../state/edited.js";
import { keepsCustomers } from "../state/people.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { NewCustomerSheet } from "./customers/new-customer.js";
import { Proposed } from "./customers/proposed.js";

const PAUSE = 300;
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
  useEffect(() => {
    const timer = setTimeout(() => void findCustomers(q), PAUSE);
    return () => clearTimeout(timer);
  }, [q]);
  const text = customerWords.value;
  const add = actionButton({
    label: text.add,
    icon: "user-plus",
    kind: "main",
    wide: true,
    onClick: () => setNew(true),
  });
  return frame(
    { title: text.title, place: "shop", back: "/shop", foot: customers.value.length > 0 && add },
    customers.value.length > 0 && search(),
    list(q, () => setNew(true)),
    !q && component(Proposed, {}),
    !q && keepUsually(),
    isNew && component(NewCustomerSheet, { name: q, onClose: () => setNew(false) }),
  );
}

/** Whether who is typed at an intake becomes a customer, unless it is said otherwise. */
function keepUsually() {
  const text = customerWords.value;
  const record = editedSettings();
  if (!record.value.value) return null;
  return section(
    { class: "panel" },
    toggle({
      label: text.keepUsually,
      help: text.keepUsuallyHelp,
      value: keepsCustomers.value,
      onChange: (keepCustomers) => record.save({ keepCustomers }),
    }),
    recordConflict({ record, name: "keepCustomers" }),
  );
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
  if (!all.length) return hasCustomers.value ? nobody(onNew) : later();
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

function later() {
  return div(
    { class: "late stack" },
    p({ class: "quiet-text" }, words.value.common.loading),
    needsConnection(),
  );
}
