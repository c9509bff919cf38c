// History: what has left the workshop, in plain words, and the estimate as work.

import { address } from "../../api/early.js";
import { actionButton } from "../../components/action-button.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import {
  a,
  b,
  component,
  details,
  div,
  icon,
  li,
  ol,
  p,
  section,
  span,
  summary,
} from "../../components/tags.js";
import { ago, dateTime } from "../../domain/format.js";
import { words, wordsLanguage } from "../../words/words.js";
import { sendWords } from "../../words/send.js";
import { besideApp } from "../../local/system.js";
import { standing } from "../../state/links.js";
import { createOrderOf } from "../../state/order-of-estimate.js";
import { replaced } from "../../state/outbox.js";
import { go } from "../../state/router.js";
import { workshop } from "../../state/workshops.js";
import { record } from "./sharing.js";
import { useCommand } from "../../components/command.js";

/** @typedef {import("./sending.js").Sending} Sending */

/** @param {{ sending: Sending }} props */
export const history = (props) => component(History, props);

/** @param {{ sending: Sending }} props */
function History({ sending }) {
  const text = sendWords.value;
  const handoffs = sending.handoffs.value ?? [];
  const lost = sending.unrecorded.value;
  if (lost) {
    const { retry } = words.value.common.buttons;
    const action = { label: retry, onClick: () => void record(sending, lost) };
    return notice({ kind: "warning", text: text.unrecorded, action });
  }
  if (!handoffs.length) return null;
  return section(
    { class: "panel" },
    details(
      { class: "more" },
      summary({}, span({}, `${text.history} (${handoffs.length})`), icon("chevron-down")),
      ol({ class: "handoffs" }, ...handoffs.map((each) => entry(replaced(sending.id), each))),
    ),
  );
}

/** @param {string} id @param {Api.Handoff} handoff */
function entry(id, handoff) {
  const text = sendWords.value;
  const { common } = words.value;
  const { kind, locale, tone, preliminary, revisionNumber, createdAt, pdfExportId, createdByUid } = handoff;
  const language = wordsLanguage.value;
  const who = workshop.value?.members.find((member) => member.id === createdByUid)?.name;
  const facts = [
    text.revision(revisionNumber),
    common.languages[locale],
    text[tone],
    preliminary && text.preliminary,
    who,
  ];
  return li(
    { key: handoff.id },
    b({}, common.handoff[kind]),
    p({}, facts.filter(Boolean).join(" · ")),
    p({ class: "quiet-text" }, `${ago(createdAt, Date.now(), language)} · ${dateTime(createdAt, language)}`),
    pdfExportId &&
      a({
        class: "handoff-pdf",
        href: address(`/estimates/${id}/pdf-exports/${pdfExportId}`),
        ...besideApp(),
      }, text.samePdf),
  );
}

/** The estimate becomes an order. @param {{ sending: Sending, isMain?: boolean }} props */
export const becomesWork = (props) => component(BecomesWork, props);

/** @param {{ sending: Sending, isMain?: boolean }} props */
function BecomesWork({ sending, isMain = false }) {
  const { busy, said: problem, run } = useCommand();
  const { orderId } = sending.summary.value ?? {};
  if (!sending.handoffs.value?.length && !orderId && !standing(sending.id)) return null;
  const kind = isMain ? "main" : "plain";
  if (orderId) return onBoard(orderId, kind);
  const make = () => run(async () => go(`/orders/${await createOrderOf(sending.id)}`));
  return div(
    { class: "stack" },
    actionButton({
      kind,
      label: sendWords.value.job,
      icon: "hammer",
      wide: true,
      busy,
      disabled: !isOnline(),
      onClick: () => void make(),
    }),
    needsConnection(),
    problem && p({ class: "field-problem", role: "alert" }, problem),
  );
}

/** @param {string} orderId @param {"main" | "plain"} kind */
const onBoard = (orderId, kind) =>
  actionButton({
    kind,
    label: sendWords.value.onBoard,
    icon: "square-kanban",
    wide: true,
    href: `/orders/${orderId}`,
  });
