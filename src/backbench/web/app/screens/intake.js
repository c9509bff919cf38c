// Intake: an order is taken in at the counter, in one column, with or without a connection.

import { actionButton } from "../components/action-button.js";
import { frame } from "../components/frame.js";
import { component, div } from "../components/tags.js";
import { words } from "../words/words.js";
import { orderWords } from "../words/orders.js";
import { loadCatalog } from "../state/catalog.js";
import { createCustomer, loadCustomers } from "../state/customers.js";
import { clear, draft, set } from "../state/intake.js";
import { loadIntakeWords, takeIn } from "../state/order-details.js";
import { keepsCustomers } from "../state/people.js";
import { remove, save, waiting } from "../state/photo-outbox.js";
import { offerUndo } from "../state/undo.js";
import { useEffect } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { Camera } from "./intake/camera.js";
import { What, When, Where, Who } from "./intake/fields.js";
import { Photos } from "./intake/photos.js";
import { Taken } from "./intake/taken.js";

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
  const photos = waiting.value.filter(({ orderId }) => orderId === kept.orderId);
  clear();
  photos.forEach(({ key }) => void remove(key));
  offerUndo(orderWords.value.intake.discarded, () => {
    set(kept);
    photos.forEach((photo) => void save(photo));
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
  if (what.trim() === "") return;
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
