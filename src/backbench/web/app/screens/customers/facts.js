// Facts of a customer, each edited where it stands.

import { boundFields, conflict, facts, problemAt } from "../../components/bound-fields.js";
import { fold } from "../../components/controls.js";
import { actionButton } from "../../components/action-button.js";
import { component, div, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { newId } from "../../domain/ids.js";
import { customerWords } from "../../words/customers.js";
import { same } from "../../state/sync/values.js";
import { editCustomer } from "../../state/customers.js";
import { record } from "../../state/records.js";
import { useRef, useState } from "../../vendor/hooks.js";

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

/** Several values, one field each; an emptied one goes when it is left. @param {SeveralOf} props */
function SeveralFields(props) {
  return div(
    { class: "stack" },
    useFields(props),
    conflict({ id: props.id, part: "fields" }, props.name),
  );
}

/** A field, for as long as it is shown; "" while it has nothing to save. @typedef {{ key: string, value: string }} Row */

/** The rows of the values: the field in which somebody types stays that of its value, wherever that is in the list by now. @param {readonly Row[]} former @param {readonly string[]} values @returns {Row[]} */
function rowsOf(former, values) {
  const free = former.filter(({ value }) => value);
  const known = values.map((value) => {
    const at = free.findIndex((row) => row.value === value);
    return at < 0 ? undefined : free.splice(at, 1)[0];
  });
  const rows = values.map((value, at) => ({ key: (known[at] ?? free.shift())?.key ?? newId(), value }));
  former.forEach((row, at) => row.value || rows.splice(at, 0, row));
  return rows.length ? rows : [{ key: newId(), value: "" }];
}

/** The rows, which follow the values once those have changed, and how to change them. @param {string[]} values */
function useRows(values) {
  const latest = useRef({ rows: /** @type {Row[]} */ ([]), seen: /** @type {string[] | null} */ (null) });
  const [, draw] = useState({});
  const { rows, seen } = latest.current;
  if (!seen || !same(seen, values)) latest.current = { rows: rowsOf(rows, values), seen: values };
  const change = (/** @type {(rows: Row[]) => Row[]} */ work) => {
    latest.current.rows = work(latest.current.rows);
    draw({});
    return latest.current.rows;
  };
  return { rows: latest.current.rows, change };
}

/** @param {SeveralOf} props */
function useFields({ id, name, values, type, maxLength, label, another, save }) {
  const { rows, change } = useRows(values);
  const keep = (/** @type {string} */ key, /** @type {string} */ value) => {
    const isThere = rows.some((row) => row.key === key);
    if (!isThere && !value) return;
    // Somebody else has taken it out while something was typed in it.
    const changed = change((all) =>
      isThere ? all.map((row) => row.key === key ? { key, value } : row) : [...all, { key, value }]
    );
    save(changed.map((row) => row.value).filter(Boolean));
  };
  // Of the only one nothing is left to be seen but its field.
  const leave = (/** @type {string} */ key) =>
    change((all) => all.length === 1 ? all : all.filter((row) => row.value || row.key !== key));
  return div(
    { class: "stack" },
    ...rows.map(({ key, value }, at) => {
      const place = rows.slice(0, at).filter((row) => row.value).length;
      const problem = problemAt({ kind: "customer", id }, name, `/${name}/${place}`);
      return div(
        { key, onFocusOut: () => void leave(key) },
        textField({
          label: label(at + 1),
          type,
          maxLength,
          autocomplete: "off",
          value,
          onCommit: (text) => keep(key, text.trim()),
          ...(value && problem ? { problem } : {}),
        }),
      );
    }),
    rows.length < MOST && rows.every((row) => row.value) && actionButton({
      label: another,
      icon: "plus",
      kind: "quiet",
      onClick: () => void change((all) => [...all, { key: newId(), value: "" }]),
    }),
  );
}
