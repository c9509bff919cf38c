// Message: the text that goes with the PDF, as it will be sent. It can be changed.

import { actionButton } from "../../components/action-button.js";
import { component, h2, p, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { words } from "../../i18n/index.js";
import { useState } from "../../vendor/hooks.js";
import { copied } from "./clipboard.js";
import { draft } from "./sending.js";

/** @typedef {import("./sending.js").Sending} Sending */
/** @typedef {import("./sending.js").Package} Package */
/** @typedef {{ subject: string, body: string, aiDrafted: boolean }} Message */

/** The message for a channel: the person's own text wins. @param {Sending} sending @param {Package} made @param {string} channel @returns {Message} */
export function messageFor(sending, made, channel) {
  const { edited, email } = sending;
  const drafted = channel === "email" && email.value?.choices === made.choices
    ? email.value.message
    : made.message;
  return edited.value === null ? drafted : { ...drafted, body: edited.value, aiDrafted: false };
}

/** Drafts the message in the form of an e-mail, which is longer. @param {Sending} sending @param {Package} made */
export async function draftEmail(sending, made) {
  if (sending.email.peek()?.choices === made.choices) return;
  try {
    const message = await draft(made.id, "email", made.chosen);
    sending.email.value = { message, choices: made.choices };
  } catch {
    // The short message is sent by e-mail as well.
    sending.email.value = null;
  }
}

/** @param {{ sending: Sending, made: Package }} props */
export const message = (props) => component(Message, props);

/** @param {{ sending: Sending, made: Package }} props */
function Message({ sending, made }) {
  const { send: text, common } = words.value;
  const [done, setDone] = useState(false);
  const { body, aiDrafted } = messageFor(sending, made, "message");
  const copy = () => {
    void copied(body);
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return section(
    { class: "panel", key: made.message.body },
    h2({}, text.message),
    textField({
      label: text.message,
      bare: true,
      multiline: true,
      value: body,
      onInput: (value) => (sending.edited.value = value),
      help: aiDrafted ? text.drafted : text.messageHelp,
    }),
    actionButton({
      label: done ? common.buttons.copied : text.copyMessage,
      icon: done ? "check" : "copy",
      onClick: copy,
    }),
    p({ class: "spoken", role: "status" }, done && common.buttons.copied),
  );
}
