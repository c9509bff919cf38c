// Intake: an order is taken in at the counter, in one column, with or without a connection.

import { hasUnreadable, numberField } from "../components/bound-fields.js";
import { actionButton } from "../components/action-button.js";
import { chips, selectField, toggle } from "../components/controls.js";
import { isOnline } from "../components/command.js";
import { frame } from "../components/frame.js";
import { needsConnection } from "../components/command.js";
import { component, div, icon, p, span } from "../components/tags.js";
import { textField, useSearched } from "../components/text-field.js";
import { isLocal } from "../domain/ids.js";
import { BOUNDS } from "../domain/numbers.js";
import { usualDays } from "../domain/stages.js";
import { catalog, loadCatalog } from "../state/catalog.js";
import {
  createCustomer,
  customerOf,
  customersLike,
  findCustomers,
  findPeople,
  keepsCustomers,
  loadCustomers,
  peopleOf,
} from "../state/customers.js";
import { grids } from "../state/grids.js";
import { clear, draft, set } from "../state/intake.js";
import { detailsOf, intakeWords, loadIntakeWords, openDetails, takeIn } from "../state/order-details.js";
import { order as orderOf } from "../state/orders.js";
import { dropPhotos, waiting } from "../state/photos.js";
import { intakeCraft } from "../state/preferences.js";
import { go } from "../state/router.js";
import { clock } from "../state/tickets.js";
import { offerUndo } from "../state/undo.js";
import { useEffect } from "../vendor/hooks.js";
import { computed, signal } from "../vendor/signals.js";
import { customerWords } from "../words/customers.js";
import { orderWords } from "../words/orders.js";
import { words, wordsLanguage } from "../words/words.js";
import { Camera } from "./photos/take-buttons.js";
import { Papers } from "./papers/papers.js";

/** The id of the order that was taken in last, until the next one begins. */
const taken = signal("");

export function screen() {
  useEffect(() => {
    taken.value = "";
    void Promise.all([loadIntakeWords(), loadCatalog(), loadCustomers()]);
  }, []);
  const text = orderWords.value.intake;
  if (taken.value) {
    return frame(
      { title: text.taken, place: "board", back: "/" },
      component(Taken, { orderId: taken.value }),
    );
  }
  const foot = actionButton({
    label: text.take,
    kind: "main",
    wide: true,
    disabled: draft.value.what.trim() === "",
    onClick: take,
  });
  return frame({ title: text.title, place: "board", back: "/", foot }, parts());
}

function parts() {
  return div(
    { class: "stack", onKeyDown: onEnter },
    component(What, {}),
    component(Photos, {}),
    component(Camera, {}),
    component(Who, {}),
    component(When, {}),
    component(Where, {}),
    draft.value.orderId !== "" &&
      actionButton({
        label: words.value.common.buttons.drop,
        icon: "trash-2",
        kind: "quiet",
        wide: true,
        onClick: discard,
      }),
  );
}

/** What was entered, and its photos; offers to take that back. */
function discard() {
  const kept = draft.value;
  clear();
  const undo = dropPhotos(waiting.value.filter(({ objectId }) => objectId === kept.orderId));
  offerUndo(orderWords.value.intake.discarded, () => {
    set(kept);
    return undo();
  });
}

/** With a keyboard Enter takes the order in; on a phone that key says "next". @param {import("../vendor/preact.js").TargetedKeyboardEvent<HTMLElement>} event */
function onEnter(event) {
  const { target, currentTarget } = event;
  if (event.key !== "Enter" || event.defaultPrevented || !(target instanceof HTMLInputElement)) return;
  event.preventDefault();
  const fields = [...currentTarget.querySelectorAll("input")];
  const next = fields[fields.indexOf(target) + 1];
  // A field that is left commits what was typed.
  target.blur();
  if (matchMedia("(pointer: fine)").matches) take();
  else next?.focus();
}

/** The id of a new customer, for which the person has asked. @param {string} name @param {string} phone */
function keepCustomer(name, phone) {
  const phones = phone.trim() ? [{ number: phone.trim() }] : [];
  return createCustomer({ name: name.trim(), phones });
}

function take() {
  const { orderId, what, name, condition, limit, isKept, ...known } = draft.value;
  if (what.trim() === "" || hasUnreadable()) return;
  if ((isKept ?? keepsCustomers.peek()) && !known.customerId && name.trim()) {
    known.customerId = keepCustomer(name, known.phone);
  }
  const texts = Object.entries(known).filter(([, value]) => value.trim() !== "");
  const details = {
    ...Object.fromEntries(texts.map(([field, value]) => [field, value.trim()])),
    ...(condition.length ? { item: { condition: condition.join(", ") } } : {}),
    ...(limit === null ? {} : { priceLimit: limit }),
  };
  taken.value = takeIn(what.trim(), name.trim(), details, orderId);
  clear();
}

function Photos() {
  const known = intakeWords.value?.crafts.find(({ domainSlug }) => domainSlug === craft.value);
  if (!known || draft.value.what === "") return null;
  return div(
    { class: "panel" },
    div({ class: "label" }, orderWords.value.intake.photos),
    p({ class: "quiet-text" }, known.photos.map(({ [wordsLanguage.value]: text }) => text).join(" · ")),
  );
}

/** @param {{ orderId: string }} props */
function Taken({ orderId }) {
  const order = orderOf(orderId).value;
  const id = order?.id ?? orderId;
  const isSent = !isLocal(id);
  useEffect(() => {
    if (isSent) void openDetails(id);
  }, [id]);
  const text = orderWords.value.intake;
  const { number } = detailsOf(id);
  return div(
    { class: "panel taken" },
    p({ class: "taken-number figures" }, orderWords.value.number(number ?? "…")),
    p({ class: "taken-title" }, order?.title ?? ""),
    !isSent && p({ class: "quiet-text" }, text.noNumber),
    needsConnection(),
    component(Papers, { orderId: id }),
    actionButton({ label: text.open, kind: "quiet", wide: true, href: `/orders/${id}` }),
    actionButton({ label: text.done, kind: "main", wide: true, onClick: () => go("/", { replace: true }) }),
  );
}

// Fields of an intake: what, for whom, when, and where it lies. All but the first may stay empty.

const OFFERED = 4;

function What() {
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
    // The place of the words until they are there.
    intakeWords.value || !isOnline()
      ? chips({
        label: intake.usual,
        chips: offered(known?.things, (text) => text === what),
        onTap: (value) => set({ what: value }),
      })
      : div({ class: "usual-place" }),
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
  return selectField({
    label: orderWords.value.intake.craft,
    value: craft.value,
    options: (catalog.value?.domains ?? []).map(({ slug, label }) => ({
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

function Who() {
  const { intake } = orderWords.value;
  const { name, phone, customerId, isKept } = draft.value;
  const text = customerWords.value;
  const customer = customerOf(customerId);
  useSearched(name, () => Promise.all([findCustomers(name), findPeople(name)]));
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

/** @param {import("../domain/customers.js").Person} person */
const labelOf = ({ name, phone }) => phone ? `${name} · ${phone}` : name;

function When() {
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

function Where() {
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

const ANY = "any-workshop";

const craft = computed(() => intakeCraft.value || ofGrids() || ANY);

function ofGrids() {
  const names = new Set(grids.value.map(({ name }) => name));
  const template = catalog.value?.templates.find(({ name }) => names.has(name.en) || names.has(name.pl));
  return template?.domainSlug;
}

/** @param {string} slug */
function chooseCraft(slug) {
  intakeCraft.value = slug;
}
