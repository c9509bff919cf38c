// Comments: what the client asked about the estimate, and the answers. They belong to the estimate, not to a link.

import { address } from "../../api/early.js";
import { actionButton } from "../../components/action-button.js";
import { isOnline, needsConnection, useCommand } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { fold } from "../../components/controls.js";
import { a, b, component, div, h2, li, ol, p, section, ul } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { ago, dateTime } from "../../domain/format.js";
import { besideApp } from "../../local/system.js";
import { draftOf, keepDraft } from "../../state/drafts.js";
import { inbox } from "../../state/inbox.js";
import { answerComment, shared, standing } from "../../state/links.js";
import { createOrderOf } from "../../state/order-details.js";
import { replaced } from "../../state/outbox.js";
import { workshop } from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { sendWords } from "../../words/send.js";
import { words, wordsLanguage } from "../../words/words.js";
import { record } from "./sharing.js";

/** @typedef {{ id: string }} Talk an estimate */

/** @param {{ sending: Talk }} props */
export const comments = (props) => component(Comments, props);

/** @param {{ sending: Talk }} props */
function Comments({ sending }) {
  if (!commentsOf(sending.id).length) return null;
  return section({ class: "panel" }, h2({}, sendWords.value.questions), talk({ sending }));
}

/** Until they are loaded, the question that waits for an answer. @param {string} id @returns {Pick<Api.EstimateComment, "id" | "author" | "name" | "text" | "createdAt">[]} */
function commentsOf(id) {
  const asked = inbox.value.filter(({ kind, estimateId }) => kind === "question" && estimateId === id);
  return shared(id).value?.comments ??
    asked.map(({ id, at, name = "", text = "" }) => ({ id, author: "client", name, text, createdAt: at }));
}

/** Without a heading. With `isMain` the answer is what the person came for. @param {{ sending: Talk, isMain?: boolean }} props */
export const talk = (props) => component(TalkOf, props);

/** @param {{ sending: Talk, isMain?: boolean }} props */
function TalkOf({ sending, isMain = false }) {
  const found = [...commentsOf(sending.id)].sort((one, other) => one.createdAt < other.createdAt ? -1 : 1);
  const [sent, setSent] = useState(0);
  const reply = component(Reply, { key: sent, sending, isMain, onSent: () => setSent(sent + 1) });
  return div(
    { class: "stack talk" },
    ul({ class: "comments" }, ...found.map(comment)),
    // Once it is answered, one more answer is rare.
    found.at(-1)?.author === "workshop" ? fold(sendWords.value.answerAgain, reply) : reply,
  );
}

/** The link to answer on: that of the latest question, else the newest that is left. @param {string} id */
function linkFor(id) {
  const { links = [], comments: found = [] } = shared(id).value ?? {};
  const present = links.filter(({ state }) => state !== "revoked");
  const latest = found.reduce(
    (at, each) => each.createdAt > at.createdAt ? each : at,
    /** @type {any} */ ({ createdAt: "" }),
  );
  return present.find((link) => link.id === latest.linkId) ?? present[0];
}

/** @param {{ sending: Talk, isMain: boolean, onSent: () => void }} props */
function Reply({ sending, isMain, onSent }) {
  const text = sendWords.value;
  const draft = draftOf(sending.id);
  const { busy, said, run } = useCommand();
  const link = linkFor(sending.id);
  if (!link && shared(sending.id).value) return p({ class: "quiet-text" }, text.answerNeedsLink);
  const send = async () => {
    if (!link || !await run(() => answerComment(link, draft.trim()))) return;
    keepDraft(sending.id, "");
    onSent();
  };
  return div(
    { class: "stack" },
    textField({
      ...{ label: text.answer, multiline: true, maxLength: 2000, value: draft, problem: said },
      onInput: (value) => keepDraft(sending.id, value),
      autofocus: isMain,
    }),
    actionButton({
      kind: isMain ? "main" : "plain",
      wide: isMain,
      label: text.sendAnswer,
      icon: "send",
      isFinal: true,
      busy,
      disabled: !link || !isOnline() || !draft.trim(),
      onClick: () => void send(),
    }),
  );
}

/** @param {ReturnType<typeof commentsOf>[number]} comment */
function comment({ id, author, name, text, createdAt }) {
  return li(
    { key: id, class: `comment ${author}` },
    p({}, b({}, name), " ", ago(createdAt, Date.now(), wordsLanguage.value)),
    p({ class: "comment-text" }, text),
  );
}

// History: what has left the workshop, in plain words, and the estimate as work.

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
    fold(
      `${text.history} (${handoffs.length})`,
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
  const make = () => run(async (go) => go(`/orders/${await createOrderOf(sending.id)}`));
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
