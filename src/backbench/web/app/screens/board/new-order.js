// New order: a blank ticket that opens in place; what it is, for whom, and it is on the board.

import { actionButton } from "../../components/action-button.js";
import { textField } from "../../components/text-field.js";
import { component, form } from "../../components/tags.js";
import { words } from "../../i18n/index.js";
import { createOrder } from "../../state/orders.js";
import { signal } from "../../vendor/signals.js";

/** Whether the blank ticket is open; the key `n` of a desk opens it. */
export const isOpen = signal(false);
const draft = signal({ title: "", customerName: "" });

export const newOrder = () => component(NewOrder, {});

function NewOrder() {
  const text = words.value.board;
  if (!isOpen.value) {
    return actionButton({
      label: text.newOrder,
      icon: "plus",
      wide: true,
      onClick: () => (isOpen.value = true),
    });
  }
  return form(
    { class: "panel", onSubmit: submit },
    title(),
    customer(),
    actionButton({
      label: text.add,
      kind: "main",
      type: "submit",
      disabled: draft.value.title.trim() === "",
    }),
    actionButton({
      label: words.value.common.buttons.cancel,
      kind: "quiet",
      onClick: () => (isOpen.value = false),
    }),
  );
}

function title() {
  const text = words.value.board;
  return textField({
    label: text.whatIsIt,
    help: text.whatIsItHelp,
    value: draft.value.title,
    maxLength: 250,
    autofocus: true,
    enterKeyHint: "next",
    autocomplete: "off",
    onInput: (value) => set({ title: value }),
  });
}

function customer() {
  return textField({
    label: words.value.board.whoFor,
    value: draft.value.customerName,
    maxLength: 250,
    autocomplete: "off",
    onInput: (value) => set({ customerName: value }),
  });
}

/** @param {Partial<typeof draft.value>} fields */
function set(fields) {
  draft.value = { ...draft.value, ...fields };
}

/** @param {Event} event */
function submit(event) {
  event.preventDefault();
  const { title, customerName } = draft.value;
  if (title.trim() === "") return;
  createOrder(title.trim(), customerName.trim());
  draft.value = { title: "", customerName: "" };
  isOpen.value = false;
}
