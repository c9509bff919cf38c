// Message: the text that goes with the PDF, as it will be sent. It can be changed.

import { draft, withAddress } from "./preparing.js";
import { component, h2, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { sendWords } from "../../words/send.js";

/** @typedef {import("./sending.js").Sending} Sending */
/** @typedef {import("./sending.js").Package} Package */
/** @typedef {{ subject: string, body: string, aiDrafted: boolean }} Message */

/** The message for a channel: the person's own text wins. @param {Sending} sending @param {Package} made @param {string} channel @returns {Message} */
export function messageFor(sending, made, channel) {
  const { edited, email } = sending;
  const drafted = channel === "email" && email.value?.of === made ? email.value.message : made.message;
  return edited.value === null ? drafted : { ...drafted, body: edited.value, aiDrafted: false };
}

/** Drafts the message in the form of an email, which is longer. @param {Sending} sending @param {Package} made */
export async function draftEmail(sending, made) {
  if (sending.email.peek()?.of === made) return;
  try {
    const message = withAddress(await draft(made.id, "email", made.order, made.link), made.address);
    sending.email.value = { message, of: made };
  } catch {
    // The short message is sent by email as well.
    sending.email.value = null;
  }
}

/** @param {{ sending: Sending, made: Package }} props */
export const message = (props) => component(Message, props);

/** @param {{ sending: Sending, made: Package }} props */
function Message({ sending, made }) {
  const text = sendWords.value;
  const { body, aiDrafted } = messageFor(sending, made, "message");
  return section(
    { class: "panel send-message", key: made.message.body },
    h2({}, text.message),
    textField({
      label: text.message,
      bare: true,
      multiline: true,
      value: body,
      onInput: (value) => (sending.edited.value = value),
      help: aiDrafted ? text.drafted : text.messageHelp,
    }),
  );
}
