// Sharing: the ways out of the workshop, and the note of each hand-off.

import { once } from "../../state/commands.js";
import { address } from "../../api/early.js";
import { isProblem } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/command.js";
import { fold } from "../../components/controls.js";
import { component, div, p, section } from "../../components/tags.js";
import { mailTo } from "../../domain/customers.js";
import { smsLink, whatsAppLink } from "../../domain/phones.js";
import { openFile } from "../../local/system.js";
import { facts } from "../../state/estimates.js";
import { replaced } from "../../state/outbox.js";
import { sendChoices } from "../../state/preferences.js";
import { phoneCountry } from "../../state/workshops.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { sendWords } from "../../words/send.js";
import { choose } from "./choices.js";
import { copied } from "./clipboard.js";
import { draftEmail, messageFor } from "./message.js";
import { loadHandoffs, loadSummary } from "./sending.js";

/** @typedef {Api.NewHandoff["kind"]} Kind */
/** @typedef {import("./sending.js").Sending} Sending */
/** @typedef {import("./sending.js").Package} Package */
/** @typedef {"share" | "share-message" | "email" | "sms" | "whatsapp" | "copy" | "copy-message"} Channel */

/** @type {Channel[]} */
const CHANNELS = ["share", "copy", "email", "whatsapp", "sms", "share-message", "copy-message"];
/** Those with which the PDF leaves as well. @type {Channel[]} */
const WITH_PDF = ["share", "email", "copy"];

/** The ways that this browser offers, the one used last first. @param {Package} made @param {string | undefined} last @returns {Channel[]} */
function channels(made, last) {
  const { file } = made;
  const able = {
    share: !!file && !!navigator.canShare?.({ files: [file], text: "" }),
    copy: !!file,
    "share-message": !!navigator.share,
    sms: matchMedia("(pointer: coarse)").matches,
    whatsapp: isWhatsAppOffered(made.id),
  };
  const offered = CHANNELS.filter((each) => able[/** @type {"sms"} */ (each)] ?? true);
  // The copy of the message is what works everywhere.
  const usual = file
    ? (able.share ? "share" : "copy")
    : able["share-message"]
    ? "share-message"
    : "copy-message";
  const first = offered.find((each) => each === last) ?? usual;
  return [first, ...offered.filter((each) => each !== first)];
}

/**
 * Starts within the press: the share sheet and the clipboard are refused later.
 * @param {Sending} sending
 * @param {Package} made
 * @param {Channel} channel
 * @param {{ subject: string, body: string, aiDrafted: boolean }} message
 * @returns {Promise<boolean>} whether it was handed over
 */
async function handOver(sending, made, channel, message) {
  sending.handed.value = null;
  const kind = await WAYS[channel](sending, made, message);
  if (!kind) return false;
  choose({ channel });
  const { locale, tone, preliminary } = made.order.chosen;
  const pdfExportId = WITH_PDF.includes(channel)
    ? made.pdf?.id ?? made.link?.pdfExportId
    : made.link?.pdfExportId;
  const pdf = pdfExportId ? { pdfExportId } : {};
  await record(sending, { kind, locale, tone, preliminary, aiDrafted: message.aiDrafted, ...pdf });
  return true;
}

/** @typedef {(sending: Sending, made: Package, message: { subject: string, body: string }) => Promise<Kind | null>} Way */
/** @type {Record<Channel, Way>} */
const WAYS = {
  share: async (_, { file }, { body }) => {
    if (!file) return null;
    // Some apps take the file alone: the message can be pasted there.
    void copied(body);
    return await shareOr({ files: [file], text: body }, "pdf-and-message-shared", () => save(file));
  },
  "share-message": async (_, _made, { body }) => {
    void copied(body);
    return await shareOr({ text: body }, "message-shared", () => {});
  },
  email: (sending, made, { subject, body }) => {
    if (made.file) save(made.file);
    return left(mailTo(addressOf(sending.id).email, { subject, body }), "email-opened");
  },
  sms: (sending, _made, { body }) => left(smsLink(addressOf(sending.id).phone, body), "message-shared"),
  whatsapp: (sending, _made, { body }) => {
    const { phone } = addressOf(sending.id);
    open(whatsAppLink(phone, phoneCountry.peek(), body) ?? "", "_blank", "noopener");
    return Promise.resolve("message-shared");
  },
  copy: async (_, { file }, { body }) => {
    if (file) save(file);
    await copied(body);
    return "message-copied";
  },
  "copy-message": async (_, _made, { body }) => {
    await copied(body);
    return "message-copied";
  },
};

/** @param {string} id of the estimate */
function addressOf(id) {
  const { recipientEmail: email = "", recipientPhone: phone = "" } = facts(id).peek() ?? {};
  return { email, phone };
}

/** Not where the country of the number is unknown. @param {string} id of the estimate */
function isWhatsAppOffered(id) {
  return whatsAppLink(addressOf(id).phone, phoneCountry.value, "") !== null;
}

/**
 * A closed share sheet is no hand-off. Where the browser refuses one, the text is in the clipboard already.
 * @param {ShareData} data
 * @param {Kind} kind
 * @param {() => void} instead
 * @returns {Promise<Kind | null>}
 */
async function shareOr(data, kind, instead) {
  try {
    await navigator.share(data);
    return kind;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === "AbortError") return null;
    instead();
    return "message-copied";
  }
}

/** @param {string} address @param {Kind} kind @returns {Promise<Kind>} */
function left(address, kind) {
  open(address, "_self");
  return Promise.resolve(kind);
}

/** Saves the PDF among the downloads. @param {File} file */
function save(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Stores what was handed over. Where that fails, it stays to be stored later. @param {Sending} sending @param {Api.NewHandoff} body */
export async function record(sending, body) {
  const id = replaced(sending.id);
  try {
    await once("POST /estimates/{estimateId}/handoffs", { estimateId: id }, { body });
    sending.unrecorded.value = null;
    sending.handed.value = body;
    await Promise.all([loadHandoffs(sending, id), loadSummary(sending)]);
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (!sending.handed.peek()) sending.unrecorded.value = body;
  }
}

// Ways: how the estimate can leave, apart from the main one.

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
    fold(text.otherWays, [
      ...others.map((channel) => way(sending, made, channel)),
      made.pdf && p({ class: "quiet-text" }, text.emailHelp),
      !isWhatsAppOffered(made.id) && p({ class: "quiet-text" }, text.noWhatsApp),
      file(made),
    ], setOpen),
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
