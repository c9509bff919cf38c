// Message sheet: a message to the customer of an order in the customer's language, and the ways it can leave.

import { actionButton } from "../../components/action-button.js";
import { languageChoice } from "../../components/language-choice.js";
import { needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { div, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { dueOf } from "../../domain/due.js";
import { readySince, stageOf } from "../../domain/stages.js";
import { wordsLanguage } from "../../words/words.js";
import { orderWords } from "../../words/orders.js";
import { openAmount } from "../../state/amounts-due.js";
import { customerOf } from "../../state/customers.js";
import { addNotice, detailsOf } from "../../state/order-details.js";
import { sendChoices } from "../../state/preferences.js";
import { clock } from "../../state/tickets.js";
import { offerDrop } from "../../state/undo.js";
import { useState } from "../../vendor/hooks.js";
import { useDraft } from "./message-draft.js";
import { isWayOffered, leave, WAYS } from "./ways.js";

/** @typedef {Api.Notice["kind"]} Kind */
/** @typedef {import("./message-draft.js").Language} Language */
/** @typedef {import("./ways.js").Way} Way */
/** @typedef {import("./ways.js").Channel} Channel */

const REMINDED_AFTER = 14 * 24 * 60 * 60 * 1000;

/** @param {{ order: Api.Order, onClose: () => void, onUndo?: () => void }} props `onUndo` takes back the step that led here */
export function MessageSheet({ order, onClose, onUndo }) {
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
