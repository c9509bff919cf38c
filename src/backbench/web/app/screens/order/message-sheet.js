// Message sheet: a message to the customer of an order in the customer's language, and the ways it can leave.

import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/choice.js";
import { needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { div, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { isProblem } from "../../api/problems.js";
import { dueIn, readySince, stageOf } from "../../domain/stages.js";
import { explained } from "../../i18n/problems.js";
import { words, wordsLanguage } from "../../i18n/index.js";
import { orderWords } from "../../i18n/orders.js";
import { addNotice, detailsOf, draftMessage } from "../../state/order-details.js";
import { drop } from "../../state/outbox.js";
import { sendChoices } from "../../state/preferences.js";
import { offerUndo } from "../../state/undo.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { isWayOffered, leave, WAYS } from "./ways.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").Order} Order */
/** @typedef {import("../../../../../../types/shapes.d.ts").Notice["kind"]} Kind */
/** @typedef {"en" | "pl"} Language */

const REMINDED_AFTER = 14 * 24 * 60 * 60 * 1000;

/** @param {{ order: Order, onClose: () => void, onUndo?: () => void }} props `onUndo` takes back the step that led here */
export function MessageSheet({ order, onClose, onUndo }) {
  const [locale, setLocale] = useState(
    /** @type {Language} */ (sendChoices.value.locale ?? wordsLanguage.value),
  );
  const { tell } = orderWords.value;
  const kind = kindOf(order);
  const { draft, setBody, problem } = useDraft(order.id, kind, locale);
  const phone = detailsOf(order.id).phone ?? "";
  const told = (/** @type {import("./ways.js").Channel} */ channel) => {
    const key = addNotice(order.id, { kind, channel });
    offerUndo(tell.recorded, () => key && drop(key));
    onClose();
  };
  const press = (/** @type {import("./ways.js").Way} */ way) =>
    void leave(way, draft, phone).then((channel) => channel && told(channel));
  const undo = () => {
    onUndo?.();
    onClose();
  };
  return sheet(
    { title: onUndo ? tell.readyTitle : tell.title, onClose },
    choice({
      label: tell.language,
      value: locale,
      options: /** @type {const} */ (["en", "pl"]).map((value) => ({
        value,
        label: words.value.common.languages[value],
      })),
      onChange: (/** @type {Language} */ value) => setLocale(value),
    }),
    needsConnection(),
    problem && notice({ kind: "alarm", text: problem }),
    draft.body || problem
      ? textField({ label: tell.text, value: draft.body, multiline: true, onInput: setBody })
      : p({ class: "quiet-text late" }, tell.drafting),
    div(
      { class: "order-ways" },
      ...WAYS.filter((way) => isWayOffered(way)).map((way) =>
        actionButton({ label: tell[way], kind: "plain", disabled: !draft.body, onClick: () => press(way) })
      ),
      actionButton({ label: tell.called, icon: "phone", onClick: () => told("called") }),
    ),
    onUndo && actionButton({ label: tell.undo, icon: "undo-2", kind: "quiet", onClick: undo }),
  );
}

/** What there is to say at this stage. @param {Order} order @returns {Kind} */
function kindOf(order) {
  const details = detailsOf(order.id);
  const stage = stageOf(order, details);
  const since = readySince(order);
  if (since) return Date.now() - Date.parse(since) > REMINDED_AFTER ? "reminder" : "ready";
  if (dueIn(details, new Date())?.isLate) return "delayed";
  return stage === "waiting" ? "waiting" : "received";
}

const EMPTY = { subject: "", body: "" };

/** The message as the server drafts it, with what the person changed. @param {string} id @param {Kind} kind @param {Language} locale */
function useDraft(id, kind, locale) {
  const [draft, setDraft] = useState(EMPTY);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let isCurrent = true;
    setDraft(EMPTY);
    setProblem("");
    draftMessage(id, { kind, locale, tone: sendChoices.value.tone ?? "friendly" }).then(
      (made) => isCurrent && setDraft(made),
      (error) => {
        if (!isProblem(error)) throw error;
        const { status, code, data } = error;
        if (isCurrent) setProblem(explained({ status, code, data }, words.value.common));
      },
    );
    return () => void (isCurrent = false);
  }, [id, kind, locale]);
  return { draft, problem, setBody: (/** @type {string} */ body) => setDraft({ ...draft, body }) };
}
