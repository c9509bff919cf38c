// Ways: how the estimate can leave, apart from the main one.

import { address } from "../../api/early.js";
import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import { component, details, div, icon, p, section, span, summary } from "../../components/tags.js";
import { sendWords } from "../../words/send.js";
import { openFile } from "../../local/system.js";
import { sendChoices } from "../../state/preferences.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { draftEmail, messageFor } from "./message.js";
import { channels, handOver, isWhatsAppOffered } from "./sharing.js";

/** @typedef {import("./sending.js").Sending} Sending */
/** @typedef {import("./sending.js").Package} Package */
/** @typedef {import("./sharing.js").Channel} Channel */

const ICONS = /** @type {Record<Channel, string>} */ ({
  "share": "share-2",
  "share-message": "message-circle",
  "email": "mail",
  "sms": "smartphone",
  "whatsapp": "message-circle",
  "copy": "copy",
  "copy-message": "copy",
});

/** @param {Sending} sending @param {Package} made @param {Channel} channel */
function press(sending, made, channel) {
  void handOver(sending, made, channel, messageFor(sending, made, channel));
}

/** @param {Package} made @param {Channel} channel */
function labelOf(made, channel) {
  const { linkWays, ways } = sendWords.value;
  return !made.pdf && channel in linkWays ? linkWays[/** @type {"copy-message"} */ (channel)] : ways[channel];
}

/** The main way. @param {{ sending: Sending, made: Package }} props */
export function mainWay({ sending, made }) {
  const [channel = "copy"] = channels(made, sendChoices.value.channel);
  return actionButton({
    kind: "main",
    wide: true,
    label: labelOf(made, channel),
    icon: ICONS[channel],
    disabled: !isOnline(),
    onClick: () => press(sending, made, channel),
  });
}

/** @param {{ sending: Sending, made: Package }} props */
export const ways = (props) => component(Ways, props);

/** @param {{ sending: Sending, made: Package }} props */
function Ways({ sending, made }) {
  const text = sendWords.value;
  const [first, ...others] = channels(made, sendChoices.value.channel);
  const [isOpen, setOpen] = useState(false);
  // A link to the mail program works only within the press: the text is to be there before.
  useEffect(() => {
    if (isOpen || first === "email") void draftEmail(sending, made);
  }, [isOpen, first, made]);
  if (made.link && !made.address) return null;
  return section(
    { class: "panel" },
    details(
      { class: "more", onToggle: (event) => setOpen(event.currentTarget.open) },
      summary({}, span({}, text.otherWays), icon("chevron-down")),
      div(
        { class: "stack" },
        ...others.map((channel) => way(sending, made, channel)),
        made.pdf && p({ class: "quiet-text" }, text.emailHelp),
        !isWhatsAppOffered(made.id) && p({ class: "quiet-text" }, text.noWhatsApp),
        file(made),
      ),
    ),
  );
}

/** @param {Sending} sending @param {Package} made @param {Channel} channel */
function way(sending, made, channel) {
  return actionButton({
    label: labelOf(made, channel),
    icon: ICONS[channel],
    wide: true,
    disabled: !isOnline(),
    onClick: () => press(sending, made, channel),
  });
}

/** The PDF itself. @param {Package} made */
function file({ id, pdf, file }) {
  if (!pdf || !file) return null;
  const text = sendWords.value;
  const href = address(`/estimates/${id}/pdf-exports/${pdf.id}`);
  return div(
    { class: "row" },
    actionButton({ label: text.open, icon: "external-link", kind: "quiet", onClick: () => openFile(href) }),
    actionButton({ label: text.download, icon: "download", kind: "quiet", href, download: file.name }),
  );
}
