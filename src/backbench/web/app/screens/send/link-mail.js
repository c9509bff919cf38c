// Link mail: the server mails a link to the client.

import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import { component, div, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { mailWords } from "../../words/mail.js";
import { sendWords } from "../../words/send.js";
import { offers } from "../../local/offers.js";
import { facts } from "../../state/estimates.js";
import { mailLink } from "../../state/links.js";
import { useState } from "../../vendor/hooks.js";
import { chosen } from "./choices.js";
import { record } from "./sharing.js";

/** So few emails with links that the server would still send now are named. */
const FEW_LEFT = 10;

/** @typedef {import("./sending.js").Sending} Sending */
/** @typedef {import("./link-entry.js").Work} Work */

/** @param {Sending} sending @param {Api.Link} link */
async function handed(sending, link) {
  const { tone } = chosen.value;
  const pdf = link.pdfExportId ? { pdfExportId: link.pdfExportId } : {};
  sending.handed.value = null;
  await record(sending, {
    kind: "message-shared",
    locale: link.locale,
    tone,
    preliminary: false,
    aiDrafted: false,
    ...pdf,
  });
}

/** The server mails it. @param {{ sending: Sending, link: Api.Link, work: Work }} props */
export function MailLink({ sending, link, work }) {
  const text = mailWords.value;
  const [isOpen, setOpen] = useState(false);
  const [sentTo, setSentTo] = useState("");
  const [left, setLeft] = useState(Infinity);
  if (link.state !== "open" || !offers("mail")) return null;
  const mail = async (/** @type {string} */ email) => {
    const { tone } = chosen.value;
    if (!await work.run(async () => setLeft(await mailLink(link, { email, tone })), "mail")) return;
    setOpen(false);
    setSentTo(email);
    void handed(sending, link);
  };
  if (isOpen) return component(MailForm, { sending, busy: work.doing === "mail", onSend: mail });
  return div(
    { class: "stack", role: "status" },
    sentTo && p({}, text.mailed(sentTo)),
    sentTo && left <= FEW_LEFT && p({}, text.mailsLeft(left)),
    actionButton({ label: text.mailLink, icon: "mail", wide: true, onClick: () => setOpen(true) }),
  );
}

/** @param {{ sending: Sending, busy: boolean, onSend: (email: string) => void }} props */
function MailForm({ sending, busy, onSend }) {
  const text = mailWords.value;
  const [email, setEmail] = useState(facts(sending.id).peek()?.recipientEmail ?? "");
  return div(
    { class: "stack" },
    textField({
      label: sendWords.value.recipientEmail,
      type: "email",
      value: email,
      autofocus: true,
      autocomplete: "off",
      onInput: setEmail,
      help: text.mailHelp,
    }),
    actionButton({
      label: text.mailNow,
      icon: "send",
      wide: true,
      isFinal: true,
      busy,
      disabled: !isOnline() || !email.includes("@"),
      onClick: () => onSend(email.trim()),
    }),
  );
}
