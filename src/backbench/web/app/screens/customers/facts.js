// Facts of a customer, each edited where it stands.

import { actionButton } from "../../components/action-button.js";
import { choice, selectField } from "../../components/choice.js";
import { recordConflict, recordText } from "../../components/record-fields.js";
import { component, div, h2, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { customerWords } from "../../words/customers.js";
import { fieldExplained } from "../../words/problems.js";
import { words } from "../../words/words.js";
import { editCustomer } from "../../state/customers.js";
import { fieldProblem, record } from "../../state/records.js";
import { useState } from "../../vendor/hooks.js";

/** @typedef {import("../../state/workshops.js").Edited<any>} Edited */

const MOST = 5;

/** @param {string} id @returns {Edited} */
function editedCustomer(id) {
  return {
    kind: "customer",
    id,
    part: "fields",
    value: record("customer", id),
    save: (fields) => void editCustomer(id, fields),
  };
}

/** @param {{ customer: Api.Customer }} props */
export function Facts({ customer }) {
  const { id } = customer;
  const text = customerWords.value;
  const edited = editedCustomer(id);
  const line = (/** @type {"taxId" | "address" | "siteAddress" | "notes"} */ name, more = {}) =>
    recordText({ record: edited, name, label: text[name], optional: true, autocomplete: "off", ...more });
  return section(
    { class: "panel" },
    h2({}, text.facts),
    recordText({
      record: edited,
      name: "name",
      label: text.name,
      maxLength: 250,
      autocomplete: "off",
      check: (value) => value.trim() === "" ? text.nameMissing : undefined,
    }),
    kindChoice(customer),
    phones(customer, edited),
    emails(customer, edited),
    line("address", { maxLength: 2000, multiline: true }),
    line("siteAddress", { maxLength: 2000, multiline: true }),
    line("taxId", { maxLength: 250 }),
    localeChoice(customer),
    line("notes", { maxLength: 5000, multiline: true, help: text.notesHelp }),
  );
}

/** @param {Api.Customer} customer @param {Edited} edited */
function phones(customer, edited) {
  const text = customerWords.value;
  const { id } = customer;
  return component(SeveralFields, {
    edited,
    name: "phones",
    values: customer.phones.map(({ number }) => number),
    type: "tel",
    maxLength: 40,
    label: text.phoneNumber,
    another: text.anotherPhone,
    save: (numbers) =>
      editCustomer(id, {
        phones: numbers.map((number) =>
          customer.phones.find((phone) => phone.number === number) ?? { number }
        ),
      }),
  });
}

/** @param {Api.Customer} customer @param {Edited} edited */
function emails(customer, edited) {
  const text = customerWords.value;
  const { id } = customer;
  return component(SeveralFields, {
    edited,
    name: "emails",
    values: customer.emails,
    type: "email",
    maxLength: 254,
    label: text.emailNumber,
    another: text.anotherEmail,
    save: (emails) => editCustomer(id, { emails }),
  });
}

/** @param {Api.Customer} customer */
function localeChoice(customer) {
  const text = customerWords.value;
  const { id } = customer;
  return selectField({
    label: text.locale,
    value: customer.locale ?? "none",
    options: /** @type {const} */ (["none", "en", "pl"]).map((value) => ({
      value,
      label: text.locales[value],
    })),
    onChange: (value) => editCustomer(id, { locale: value === "none" ? null : /** @type {any} */ (value) }),
  });
}

/** @param {Api.Customer} customer */
function kindChoice(customer) {
  const text = customerWords.value;
  const { id } = customer;
  return choice({
    label: text.kind,
    value: customer.kind,
    options: [
      { value: "person", label: text.kinds.person },
      { value: "company", label: text.kinds.company },
    ],
    onChange: (kind) => editCustomer(id, { kind }),
  });
}

/**
 * @typedef {{ edited: Edited, name: "phones" | "emails", values: string[], type: "tel" | "email", maxLength: number,
 *   label: (number: number) => string, another: string, save: (values: string[]) => void }} SeveralOf
 */

/** Several values, one field each; an emptied one goes. @param {SeveralOf} props */
function SeveralFields(props) {
  return div(
    { class: "stack" },
    useFields(props),
    recordConflict({ record: props.edited, name: props.name, show: shown }),
  );
}

/** @param {any} value */
function shown(value) {
  return (value ?? []).map((/** @type {any} */ one) => one.number ?? one).join(", ") || "–";
}

/** @param {SeveralOf} props */
function useFields({ edited, name, values, type, maxLength, label, another, save }) {
  const [count, setCount] = useState(1);
  const fields = Math.min(MOST, Math.max(count, values.length));
  return div(
    { class: "stack" },
    ...Array.from({ length: fields }, (_, at) => {
      const problem = fieldProblem("customer", edited.id, name, `/${name}/${at}`);
      return textField({
        label: label(at + 1),
        type,
        maxLength,
        autocomplete: "off",
        value: values[at] ?? "",
        onCommit: (value) => {
          const changed = [...values];
          changed[at] = value.trim();
          save(changed.filter(Boolean));
        },
        ...(problem ? { problem: fieldExplained(problem, words.value.common) } : {}),
      });
    }),
    fields < MOST && values.length >= fields && actionButton({
      label: another,
      icon: "plus",
      kind: "quiet",
      onClick: () => setCount(fields + 1),
    }),
  );
}
