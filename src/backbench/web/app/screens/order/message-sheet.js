// Message sheet: a message to the customer of an order in the customer's language, and the ways it can leave.

import { isProblem } from "../../api/problems.js";
import { actionButton } from "../../components/action-button.js";
import { languageChoice } from "../../components/controls.js";
import { needsConnection } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { component, div, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { mailTo } from "../../domain/customers.js";
import { dueOf } from "../../domain/due.js";
import { smsLink, whatsAppLink } from "../../domain/phones.js";
import { readySince, stageOf } from "../../domain/stages.js";
import { openAmount } from "../../state/amounts-due.js";
import { customerOf } from "../../state/customers.js";
import { addNotice, detailsOf, draftMessage } from "../../state/order-details.js";
import { moveOrder, order as orderOf } from "../../state/orders.js";
import { sendChoices } from "../../state/preferences.js";
import { clock, telling } from "../../state/tickets.js";
import { offerDrop } from "../../state/undo.js";
import { phoneCountry } from "../../state/workshops.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { orderWords } from "../../words/orders.js";
import { explained } from "../../words/problems.js";
import { wordsLanguage } from "../../words/words.js";
import { copied } from "../send/clipboard.js";

/** @typedef {Api.Notice["kind"]} Kind */

const REMINDED_AFTER = 14 * 24 * 60 * 60 * 1000;

/** The sheet, while somebody is told. */
export function part() {
  const { id = "", isUndone = false } = telling.value ?? {};
  const order = orderOf(id).value;
  if (!order) return null;
  const onUndo = isUndone ? { onUndo: () => moveOrder(id, "in_progress") } : {};
  return component(MessageSheet, { key: id, order, onClose: () => (telling.value = null), ...onUndo });
}

/** @param {{ order: Api.Order, onClose: () => void, onUndo?: () => void }} props `onUndo` takes back the step that led here */
function MessageSheet({ order, onClose, onUndo }) {
  const [locale, setLocale] = useState(
    /** @type {Language} */ (customerOf(detailsOf(order.id).customerId ?? "")?.locale ??
      sendChoices.value.locale ?? wordsLanguage.value),
  );
  const { tell } = orderWords.value;
  const kind = kindOf(order);
  const { draft, setBody, problem } = useDraft(order.id, kind, locale);
  const told = (/** @type {Channel} */ channel) => {
    offerDrop(tell.recorded, addNotice(order.id, { kind, channel }));
    onClose();
  };
  const undo = () => {
    onUndo?.();
    onClose();
  };
  const placeholder = problem ? "" : tell.drafting;
  const message = { label: tell.text, value: draft.body, multiline: true, onInput: setBody, placeholder };
  return sheet(
    { title: onUndo ? tell.readyTitle : tell.title, onClose },
    languageChoice({ label: tell.language, value: locale, onChange: setLocale }),
    needsConnection(),
    // As high without the draft as with it: what is pressed below it does not move when the draft comes.
    div({ class: "order-message" }, textField(message)),
    ways(draft, detailsOf(order.id).phone ?? "", told),
    onUndo && actionButton({ label: tell.undo, icon: "undo-2", kind: "quiet", onClick: undo }),
    problem && notice({ kind: "alarm", text: problem }),
  );
}

/** @param {{subject: string, body: string}} draft @param {string} phone @param {(channel: Channel) => void} told */
function ways(draft, phone, told) {
  const { tell } = orderWords.value;
  const press = (/** @type {Way} */ way) =>
    void leave(way, draft, phone).then((channel) => channel && told(channel));
  return div(
    { class: "order-ways" },
    ...WAYS.filter((way) => isWayOffered(way, phone)).map((way) =>
      actionButton({ label: tell[way], kind: "plain", disabled: !draft.body, onClick: () => press(way) })
    ),
    actionButton({ label: tell.called, icon: "phone", onClick: () => told("called") }),
    !isWayOffered("whatsapp", phone) && p({ class: "quiet-text" }, tell.noWhatsApp),
  );
}

/** What there is to say at this stage. @param {Api.Order} order @returns {Kind} */
function kindOf(order) {
  const details = detailsOf(order.id);
  const stage = stageOf(order, details);
  // What the customer has already is not waiting to be collected.
  if (stage === "collected" && Number(openAmount(order.id)?.amount ?? 0) > 0) return "reminder";
  const since = readySince(order);
  if (since) return Date.now() - Date.parse(since) > REMINDED_AFTER ? "reminder" : "ready";
  if (dueOf(details, clock.value) === "overdue") return "delayed";
  return stage === "waiting" ? "waiting" : "received";
}

/** @typedef {"en" | "pl"} Language */

const EMPTY = { subject: "", body: "" };

/** `problem` is why there is none, in words. @param {string} id @param {Kind} kind @param {Language} locale */
function useDraft(id, kind, locale) {
  const [draft, setDraft] = useState(EMPTY);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let isCurrent = true;
    setDraft(EMPTY);
    setProblem("");
    draftMessage(id, { kind, locale, tone: sendChoices.value.tone ?? "friendly" }).then(
      // What was written meanwhile stays.
      (made) => isCurrent && setDraft(({ body }) => body ? { ...made, body } : made),
      (error) => {
        if (!isProblem(error)) throw error;
        const { status, code, data } = error;
        if (isCurrent) setProblem(explained({ status, code, data }));
      },
    );
    return () => void (isCurrent = false);
  }, [id, kind, locale]);
  return { draft, problem, setBody: (/** @type {string} */ body) => setDraft({ ...draft, body }) };
}

/** @typedef {Api.Notice["channel"]} Channel */
/** @typedef {typeof WAYS[number]} Way */

const WAYS = /** @type {const} */ (["share", "sms", "whatsapp", "email", "copy"]);

/** @param {Way} way @param {string} phone as it was typed */
function isWayOffered(way, phone) {
  if (way === "whatsapp") return whatsAppLink(phone, phoneCountry.value, "") !== null;
  return way !== "share" || !!navigator.share;
}

/**
 * Returns the channel that is noted; null where nothing left, as with a share sheet that was closed.
 * @param {Way} way @param {{subject: string, body: string}} message @param {string} phone as it was typed
 * @returns {Promise<Channel | null>}
 */
async function leave(way, { subject, body }, phone) {
  if (way === "share") return await isShared(body) ? "message-shared" : null;
  if (way === "sms") open(smsLink(phone, body), "_self");
  if (way === "whatsapp") {
    open(whatsAppLink(phone, phoneCountry.peek(), body) ?? "", "_blank", "noopener");
  }
  if (way === "email") {
    open(mailTo("", { subject, body }), "_self");
    return "email-opened";
  }
  if (way === "copy") {
    await copied(body);
    return "message-copied";
  }
  return "message-shared";
}

/** Whether it left; false where the share sheet was closed. @param {string} text */
export async function isShared(text) {
  try {
    await navigator.share({ text });
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return false;
    throw error;
  }
}
