// New customer: a name and a number are enough; the rest is added on the card.

import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/choice.js";
import { sheet } from "../../components/sheet.js";
import { div } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { customerWords } from "../../words/customers.js";
import { createCustomer } from "../../state/customers.js";
import { go } from "../../state/router.js";
import { useState } from "../../vendor/hooks.js";
import { hasContacts, pickContact } from "./contact-picker.js";

/** @param {{ name: string, onClose: () => void }} props */
export function NewCustomerSheet({ name, onClose }) {
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
