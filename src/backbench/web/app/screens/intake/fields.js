// Fields of an intake: what, for whom, when, and where it lies. All but the first may stay empty.

import { actionButton } from "../../components/action-button.js";
import { chips } from "../../components/chips.js";
import { selectField } from "../../components/select-field.js";
import { div, icon, span } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { toggle } from "../../components/toggle.js";
import { BOUNDS } from "../../domain/numbers.js";
import { usualDays } from "../../domain/stages.js";
import { customerWords } from "../../words/customers.js";
import { wordsLanguage } from "../../words/words.js";
import { orderWords } from "../../words/orders.js";
import { catalog } from "../../state/catalog.js";
import { customerOf, customersLike, findCustomers } from "../../state/customers.js";
import { intakeWords } from "../../state/order-details.js";
import { findPeople, keepsCustomers, peopleOf } from "../../state/people.js";
import { clock } from "../../state/tickets.js";
import { useEffect } from "../../vendor/hooks.js";
import { numberField } from "../builder/number-field.js";
import { chooseCraft, craft } from "./craft.js";
import { draft, set } from "../../state/intake.js";

const OFFERED = 4;
const PAUSE = 300;

export function What() {
  const { intake } = orderWords.value;
  const known = intakeWords.value?.crafts.find(({ domainSlug }) => domainSlug === craft.value);
  const { what, condition } = draft.value;
  return div(
    { class: "panel" },
    textField({
      label: intake.what,
      help: intake.whatHelp,
      value: what,
      maxLength: 250,
      autofocus: true,
      enterKeyHint: "next",
      autocomplete: "off",
      onInput: (value) => set({ what: value }),
    }),
    chips({
      label: intake.usual,
      chips: offered(known?.things, (text) => text === what),
      onTap: (value) => set({ what: value }),
    }),
    what !== "" && div({ class: "label" }, intake.condition),
    what !== "" && chips({
      label: intake.condition,
      chips: offered(known?.conditions, (text) => condition.includes(text)),
      onTap: toggleCondition,
    }),
    what === "" && craftChoice(),
  );
}

/** @param {readonly {en: string, pl: string}[] | undefined} texts @param {(text: string) => boolean} isPressed */
function offered(texts = [], isPressed) {
  return texts.map(({ [wordsLanguage.value]: text }) => ({
    value: text,
    label: text,
    pressed: isPressed(text),
  }));
}

function craftChoice() {
  return catalog.value && selectField({
    label: orderWords.value.intake.craft,
    value: craft.value,
    options: catalog.value.domains.map(({ slug, label }) => ({
      value: slug,
      label: label[wordsLanguage.value],
    })),
    onChange: chooseCraft,
  });
}

/** @param {string} text */
function toggleCondition(text) {
  const { condition } = draft.value;
  set({
    condition: condition.includes(text) ? condition.filter((each) => each !== text) : [...condition, text],
  });
}

export function Who() {
  const { intake } = orderWords.value;
  const { name, phone, customerId, isKept } = draft.value;
  const text = customerWords.value;
  const customer = customerOf(customerId);
  useEffect(() => {
    const timer = setTimeout(() => void Promise.all([findCustomers(name), findPeople(name)]), PAUSE);
    return () => clearTimeout(timer);
  }, [name]);
  return div(
    { class: "panel" },
    textField({
      label: intake.who,
      help: intake.whoHelp,
      value: name,
      maxLength: 250,
      autocomplete: "off",
      enterKeyHint: "next",
      onInput: (value) => set({ name: value, customerId: "" }),
    }),
    customer ? chosen(customer) : known(name),
    phoneField(phone),
    !customer && /\p{L}/u.test(name) && toggle({
      label: text.keepTyped,
      value: isKept ?? keepsCustomers.value,
      onChange: (value) => set({ isKept: value }),
    }),
  );
}

/** @param {string} phone */
function phoneField(phone) {
  return textField({
    label: orderWords.value.intake.phone,
    value: phone,
    type: "tel",
    maxLength: 40,
    autocomplete: "off",
    onInput: (value) => set({ phone: value }),
  });
}

/** @param {Api.Customer} customer */
function chosen({ name }) {
  const text = customerWords.value;
  return div(
    { class: "row customer-chosen" },
    icon("user"),
    span({}, text.ofCustomer(name)),
    actionButton({
      label: text.detach,
      icon: "x",
      kind: "quiet",
      iconOnly: true,
      onClick: () => set({ customerId: "" }),
    }),
  );
}

/** Customers that are meant, and other people of orders. @param {string} text */
function known(text) {
  const { intake } = orderWords.value;
  const found = customersLike(text).slice(0, OFFERED);
  const { name: typed, phone: given } = draft.value;
  const others = peopleOf(text, found)
    .filter(({ name, phone }) => name !== typed || phone !== given)
    .slice(0, OFFERED - found.length);
  return chips({
    label: intake.who,
    chips: [
      ...found.map(({ id, name, phones: [phone] }) => ({
        value: id,
        label: phone ? `${name} · ${phone.number}` : name,
      })),
      ...others.map((one) => ({ value: labelOf(one), label: labelOf(one) })),
    ],
    onTap: (value) => {
      const customer = found.find(({ id }) => id === value);
      const person = others.find((one) => labelOf(one) === value);
      if (person) return set({ name: person.name, ...(person.phone ? { phone: person.phone } : {}) });
      if (!customer) return;
      const { id, name, phones: [phone] } = customer;
      set({ customerId: id, name, isKept: false, ...(phone ? { phone: phone.number } : {}) });
    },
  });
}

/** @param {import("../../domain/people.js").Person} person */
const labelOf = ({ name, phone }) => phone ? `${name} · ${phone}` : name;

export function When() {
  const { intake } = orderWords.value;
  const days = usualDays(clock.value.today);
  const { dueOn } = draft.value;
  return div(
    { class: "panel" },
    div({ class: "label" }, intake.when),
    chips({
      label: intake.when,
      chips: /** @type {const} */ (["today", "tomorrow", "friday", "week"]).map((each) => ({
        value: each,
        label: intake.days[each],
        pressed: days[each] === dueOn,
      })),
      onTap: (each) => {
        const day = days[/** @type {keyof typeof days} */ (each)];
        set({ dueOn: day === dueOn ? "" : day });
      },
    }),
    textField({
      label: intake.date,
      type: "date",
      value: dueOn,
      onInput: (value) => set({ dueOn: value }),
    }),
  );
}

export function Where() {
  const { intake } = orderWords.value;
  const { limit, place } = draft.value;
  return div(
    { class: "panel" },
    numberField({
      label: intake.limit,
      help: intake.limitHelp,
      value: limit ?? undefined,
      bounds: BOUNDS.unitPrice,
      onValue: (value) => set({ limit: value }),
    }),
    textField({
      label: intake.place,
      value: place,
      maxLength: 50,
      autocomplete: "off",
      onInput: (value) => set({ place: value }),
    }),
  );
}
