// Estimates: all of the workshop's, found by name, client, number or state.

import { isProblem } from "../api/problems.js";
import { actionButton } from "../components/action-button.js";
import { notYet, useAnswer } from "../components/answer.js";
import { isOnline, useCommand } from "../components/command.js";
import { emptyState } from "../components/notice.js";
import { frame } from "../components/frame.js";
import { component, div, isDesk, p, span } from "../components/tags.js";
import { money } from "../components/prices.js";
import { selectField } from "../components/controls.js";
import { sheet } from "../components/sheet.js";
import { stamp, ticket } from "../components/ticket.js";
import { textField } from "../components/text-field.js";
import { ago } from "../domain/format.js";
import { matches } from "../domain/search.js";
import { estimateStage } from "../domain/stages.js";
import { asked } from "../state/inbox.js";
import { createOrderOf } from "../state/order-details.js";
import { isPending } from "../state/outbox.js";
import { go, route } from "../state/router.js";
import {
  hasMore,
  hasSummaries,
  loadMore,
  loadSummaries,
  MOST,
  readSummaries,
  summaries,
} from "../state/summaries.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { estimateWords } from "../words/estimates.js";
import { explained } from "../words/problems.js";
import { words, wordsLanguage } from "../words/words.js";
import { EstimateActions } from "./estimate-actions.js";

/** `open`: the client has not decided yet. @typedef {"all" | "open" | Stage} Wanted */

/** The stages that the server can filter by; the others are found in what is loaded. @type {readonly string[]} */
const STATES = ["draft", "changed"];

/** What was looked for last: coming back from an estimate leads to it. */
const query = signal("");
const wanted = signal(/** @type {Wanted} */ ("all"));
const PAUSE = 300;
/** So many of the wanted ones fill the screen. */
const ENOUGH = 20;
/** Below this many estimates everything is seen at a glance. */
const SEARCHED = 5;

export function screen() {
  const text = estimateWords.value;
  // A link to a part of the list.
  useLayoutEffect(() => {
    const { stage = "" } = route.peek().query;
    const found = /** @type {readonly Wanted[]} */ (["open", ...STAGES]).find((one) => one === stage);
    if (found) wanted.value = found;
  }, []);
  const answered = useSearch();
  const [more, setMore] = useState("");
  const found = summaries.value.filter(isWanted);
  useOlder(found.length);
  const chosen = found.find(({ estimateId }) => estimateId === more);
  return frame(
    { title: text.title, place: "estimates", wide: isDesk.value, bare: !isDesk.value },
    isSearched() && search(),
    found.length === 0 ? nothing(answered) : div(
      { class: "tickets estimate-list" },
      ...found.map((summary) =>
        component(EstimateTicket, { key: summary.estimateId, summary, onMore: setMore })
      ),
    ),
    component(Older, {}),
    chosen && component(MoreSheet, { summary: chosen, onClose: () => setMore("") }),
  );
}

function isSearched() {
  return query.value !== "" || wanted.value !== "all" || summaries.value.length > SEARCHED;
}

/** Asks the server once typing pauses. */
function useSearch() {
  const asked = useRef("");
  const [q, state] = [query.value.trim(), wanted.value];
  const key = `${state} ${q}`;
  const answered = useAnswer(async () => {
    const isTyped = ![key, ""].includes(asked.current);
    asked.current = key;
    if (isTyped) await new Promise((end) => setTimeout(end, PAUSE));
    if (asked.current !== key) return;
    await readSummaries({
      ...(q && { q }),
      ...(STATES.includes(state) && { state: /** @type {any} */ (state) }),
    });
  }, key);
  // Other screens show the whole list.
  useEffect(() => () => {
    // What is typed is not looked for any more.
    asked.current = "";
    if (query.peek() || wanted.peek() !== "all") void loadSummaries();
  }, []);
  return answered;
}

/** What only the app can tell of an estimate is looked for among the older ones, too. @param {number} found */
function useOlder(found) {
  const isLookedFor = !["all", ...STATES].includes(wanted.value) && hasMore.value && found < ENOUGH;
  const loaded = summaries.value.length;
  const online = isOnline();
  useEffect(() => {
    if (isLookedFor) void loadMore(MOST).catch(reportUnknown);
  }, [isLookedFor, loaded, online]);
}

/** Problems are shown by the sign of the connection. @param {unknown} error */
function reportUnknown(error) {
  if (!isProblem(error)) reportError(error);
}

/** @param {Api.EstimateSummary} summary */
function isWanted(summary) {
  const { name, recipientName, number } = summary;
  const stage = stageOf(summary);
  const isStage = wanted.value === stage || wanted.value === "all" ||
    (wanted.value === "open" && OPEN.includes(stage));
  return isStage &&
    matches(query.value, name, recipientName, number);
}

function search() {
  const text = estimateWords.value;
  return div(
    { class: "estimate-search" },
    textField({
      label: text.search,
      bare: true,
      placeholder: words.value.common.search,
      type: "search",
      value: query.value,
      onInput: (value) => (query.value = value),
    }),
    selectField({
      label: text.filter,
      bare: true,
      value: wanted.value,
      options: [
        { value: "all", label: text.all },
        { value: "open", label: text.open },
        ...STAGES.map((value) => ({ value, label: text.stages[value] })),
      ],
      onChange: (value) => (wanted.value = /** @type {Wanted} */ (value)),
    }),
  );
}

/** @param {ReturnType<typeof useSearch>} answered */
function nothing(answered) {
  const text = estimateWords.value;
  if (!hasSummaries.value) return notYet({ ...answered, data: null });
  if (query.value) return p({ class: "quiet-text" }, text.nothingFound(query.value));
  if (wanted.value !== "all") return p({ class: "quiet-text" }, text.noneOfState);
  return emptyState({
    text: text.empty,
    action: { label: text.first, icon: "plus", onClick: () => go("/estimates/new") },
  });
}

/** Older estimates, where there are more. */
function Older() {
  const [isBusy, setBusy] = useState(false);
  if (!hasMore.value) return null;
  const load = () => {
    setBusy(true);
    loadMore().catch(reportUnknown).finally(() => setBusy(false));
  };
  return actionButton({ label: estimateWords.value.loadMore, kind: "quiet", busy: isBusy, onClick: load });
}

/** @param {{ summary: Api.EstimateSummary, onClose: () => void }} props */
function MoreSheet({ summary, onClose }) {
  const { estimateId, name, orderId } = summary;
  return sheet(
    { title: name, onClose },
    component(EstimateActions, { id: estimateId, name, orderId, onClose }),
  );
}

// Ticket of an estimate: what, for whom, how much, how far it has come, and the one next step.

/** @param {{ summary: Api.EstimateSummary, onMore: (id: string) => void }} props */
function EstimateTicket({ summary, onMore }) {
  const { estimateId, name, recipientName, number, total, currency, lines } = summary;
  const stage = stageOf(summary);
  const detail = [recipientName || estimateWords.value.noClient, number ?? words.value.common.lines(lines)];
  return ticket({
    href: `/estimates/${estimateId}`,
    title: name,
    detail: detail.join(" · "),
    meta: [stamp({ status: stage, word: estimateWords.value.stages[stage] }), span({}, history(summary))],
    status: stage,
    pending: isPending(estimateId),
    sum: money({ amount: total, currency }),
    action: div({ class: "estimate-steps" }, nextSteps(summary), moreButton(summary, onMore)),
  });
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

/** The one next step of each stage. @param {Api.EstimateSummary} summary */
function nextSteps(summary) {
  const text = estimateWords.value;
  const { estimateId, orderId, name, lines } = summary;
  const href = `/estimates/${estimateId}/send`;
  const step = (/** @type {string} */ label, icon = "send", to = href) =>
    actionButton({ label, about: name, icon, href: to });
  const stage = stageOf(summary);
  if (orderId) return step(text.toTheOrder, "hammer", `/orders/${orderId}`);
  if (lines === 0) return null;
  // The client has said yes: that it becomes work is the one thing left.
  if (stage === "accepted") return component(JobButton, { id: estimateId, name });
  if (stage === "asked") return step(text.answer, "message-circle");
  if (stage === "declined") return step(text.revise, "pencil", `/estimates/${estimateId}`);
  return step(["sent", "seen", "expired"].includes(stage) ? text.remind : text.send);
}

/** The client has said yes. @param {{ id: string, name: string }} props */
function JobButton({ id, name }) {
  const { busy, problem, run } = useCommand();
  const make = () => void run(async (go) => go(`/orders/${await createOrderOf(id)}`));
  const label = estimateWords.value.itsAJob;
  return [
    problem && p({ class: "field-problem", role: "alert" }, explained(problem)),
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

/** @typedef {import("../domain/stages.js").EstimateStage} Stage */

/** @type {readonly Stage[]} */
const OPEN = ["unsent", "sent", "seen", "asked"];

/** In the order of the filter. @type {readonly Stage[]} */
const STAGES = [
  "draft",
  "changed",
  "unsent",
  "sent",
  "seen",
  "asked",
  "accepted",
  "declined",
  "expired",
  "ordered",
];

/** How far it has come: what the stamp says, and what the list can be filtered by. @param {Api.EstimateSummary} summary */
export const stageOf = (summary) => estimateStage(summary, asked.value.has(summary.estimateId), Date.now());
