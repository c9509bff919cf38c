// Ticket of an estimate: what, for whom, how much, how far it has come, and the one next step.

import { actionButton } from "../../components/action-button.js";
import { useCommand } from "../../components/command.js";
import { isOnline } from "../../components/needs-connection.js";
import { component, div, icon, p, span } from "../../components/tags.js";
import { money } from "../../components/money.js";
import { stamp } from "../../components/stamp.js";
import { ticket } from "../../components/ticket.js";
import { ago } from "../../domain/format.js";
import { estimateWords } from "../../words/estimates.js";
import { words, wordsLanguage } from "../../words/words.js";
import { inboxWords } from "../../words/inbox.js";
import { explained } from "../../words/problems.js";
import { inbox } from "../../state/inbox.js";
import { createOrderOf } from "../../state/order-of-estimate.js";
import { pendingOf } from "../../state/outbox.js";
import { go } from "../../state/router.js";
import { isSent, stageOf, stampOf } from "./progress.js";

/** @param {{ summary: Api.EstimateSummary, onMore: (id: string) => void }} props */
export function EstimateTicket({ summary, onMore }) {
  const { estimateId, name, recipientName, number, total, currency, lines } = summary;
  const mark = stampOf(summary, Date.now());
  const detail = [recipientName || estimateWords.value.noClient, number ?? words.value.common.lines(lines)];
  return ticket({
    href: `/estimates/${estimateId}`,
    title: name,
    detail: detail.join(" · "),
    meta: [stamp(mark), isAsked(estimateId) && asked(), span({}, history(summary))],
    status: mark.status,
    pending: pendingOf(estimateId).value,
    sum: money({ amount: total, currency }),
    action: div({ class: "estimate-steps" }, ...nextSteps(summary), moreButton(summary, onMore)),
  });
}

/** Whether the client's last question has no answer yet. @param {string} id */
function isAsked(id) {
  return inbox.value.some(({ kind, estimateId }) => kind === "question" && estimateId === id);
}

function asked() {
  return span({ class: "row asked" }, icon("message-circle"), inboxWords.value.kinds.question);
}

/** What happened to it last. @param {Api.EstimateSummary} summary */
function history({ lastHandoff, latestRevision, updatedAt }) {
  const language = wordsLanguage.value;
  if (!lastHandoff) return ago(updatedAt, Date.now(), language);
  const text = estimateWords.value;
  const sent = text.handoffs[lastHandoff.kind]?.(ago(lastHandoff.createdAt, Date.now(), language)) ?? "";
  const isOlder = lastHandoff.revisionNumber < (latestRevision?.number ?? 0);
  return isOlder ? `${sent} (${text.ofRevision(lastHandoff.revisionNumber)})` : sent;
}

/** @param {Api.EstimateSummary} summary */
function nextSteps(summary) {
  const text = estimateWords.value;
  const { estimateId, orderId, name, state, lines } = summary;
  if (orderId) {
    return [actionButton({ label: text.toTheOrder, about: name, kind: "quiet", href: `/orders/${orderId}` })];
  }
  if (lines === 0) return [];
  // The client has said yes: that it becomes work is the one thing left.
  if (stageOf(summary, Date.now()) === "accepted") return [component(JobButton, { id: estimateId, name })];
  const href = `/estimates/${estimateId}/send`;
  if (!isSent(summary)) {
    return [
      actionButton({
        label: state === "changed" ? text.sendAgain : text.send,
        about: name,
        icon: "send",
        href,
      }),
    ];
  }
  return [
    component(JobButton, { id: estimateId, name }),
    actionButton({ label: text.sendAgain, about: name, icon: "send", iconOnly: true, kind: "quiet", href }),
  ];
}

/** The client has said yes. @param {{ id: string, name: string }} props */
function JobButton({ id, name }) {
  const { busy, problem, run } = useCommand();
  const make = () => void run(async () => go(`/orders/${await createOrderOf(id)}`));
  const label = estimateWords.value.itsAJob;
  return [
    problem && p({ class: "field-problem", role: "alert" }, explained(problem, words.value.common)),
    actionButton({ label, about: name, busy, disabled: !isOnline(), onClick: make }),
  ];
}

/** @param {Api.EstimateSummary} summary @param {(id: string) => void} onMore */
function moreButton({ estimateId, name }, onMore) {
  return actionButton({
    label: estimateWords.value.more,
    about: name,
    icon: "ellipsis",
    kind: "quiet",
    iconOnly: true,
    onClick: () => onMore(estimateId),
  });
}
