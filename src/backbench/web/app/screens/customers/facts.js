// Facts of a customer, each edited where it stands.

import { boundFields, conflict, facts, problemAt } from "../../components/bound-fields.js";
import { fold } from "../../components/controls.js";
import { actionButton } from "../../components/action-button.js";
import { component, div, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { customerWords } from "../../words/customers.js";
import { editCustomer } from "../../state/customers.js";
import { record } from "../../state/records.js";
import { useState } from "../../vendor/hooks.js";
const MOST = 5;

/** @param {{ customer: Api.Customer }} props */
export function Facts({ customer }) {
  const { id } = customer;
  const text = customerWords.value;
  const bound = /** @type {const} */ ({ kind: "customer", id, part: "fields" });
  const field = boundFields(
    { ...bound, value: record("customer", id), save: editCustomer.bind(null, id) },
    text,
  );
  return section(
    { class: "panel" },
    facts([
      field.text("name", { maxLength: 250, check: (name) => name.trim() ? undefined : text.nameMissing }),
      field.choice("kind", text.kinds),
      field.text("address", { maxLength: 2000, multiline: true }),
      field.text("siteAddress", { maxLength: 2000, multiline: true }),
      field.text("taxId", { maxLength: 250 }),
      field.select("locale", text.locales, "none"),
      field.text("notes", { maxLength: 5000, multiline: true }),
    ]),
    fold(text.reach, [
      component(SeveralFields, {
        id,
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
      }),
      component(SeveralFields, {
        id,
        name: "emails",
        values: customer.emails,
        type: "email",
        maxLength: 254,
        label: text.emailNumber,
        another: text.anotherEmail,
        save: (emails) => editCustomer(id, { emails }),
      }),
    ]),
  );
}

/**
 * @typedef {{ id: string, name: "phones" | "emails", values: string[], type: "tel" | "email", maxLength: number,
 *   label: (number: number) => string, another: string, save: (values: string[]) => void }} SeveralOf
 */

/** Several values, one field each; an emptied one goes. @param {SeveralOf} props */
function SeveralFields(props) {
  return div(
    { class: "stack" },
    useFields(props),
    conflict({ id: props.id, part: "fields" }, props.name, shown),
  );
}

/** @param {any} value */
function shown(value) {
  return (value ?? []).map((/** @type {any} */ one) => one.number ?? one).join(", ") || "–";
}

/** @param {SeveralOf} props */
function useFields({ id, name, values, type, maxLength, label, another, save }) {
  const [count, setCount] = useState(1);
  const fields = Math.min(MOST, Math.max(count, values.length));
  return div(
    { class: "stack" },
    ...Array.from({ length: fields }, (_, at) => {
      const problem = problemAt({ kind: "customer", id }, name, `/${name}/${at}`);
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
        ...(problem ? { problem } : {}),
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
