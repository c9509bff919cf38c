// Send: an estimate leaves the workshop. It is confirmed, drawn as a PDF, and handed over.

import { isGone, isProblem } from "../api/problems.js";
import { actionButton } from "../components/action-button.js";
import { emptyState } from "../components/empty-state.js";
import { frame } from "../components/frame.js";
import { isOnline, needsConnection } from "../components/needs-connection.js";
import { notice } from "../components/notice.js";
import { component, div, icon, p } from "../components/tags.js";
import { explained } from "../i18n/problems.js";
import { words } from "../i18n/index.js";
import { estimate } from "../state/estimates.js";
import { standing } from "../state/links.js";
import { go } from "../state/router.js";
import { useEffect, useLayoutEffect, useState } from "../vendor/hooks.js";
import { client } from "./send/client.js";
import { decided, decision } from "./send/decision.js";
import { document } from "./send/document.js";
import { becomesWork, history } from "./send/history.js";
import { limitPanel, usedUp } from "./send/limit.js";
import { links } from "./send/links.js";
import { message } from "./send/message.js";
import { options } from "./send/options.js";
import { chosen } from "./send/choices.js";
import { overview } from "./send/overview.js";
import { latestNumber, openSending, prepare, sendingOf, takeUp } from "./send/sending.js";
import { pagesOf } from "./send/sources.js";
import { record } from "./send/sharing.js";
import { mainWay, ways } from "./send/ways.js";

/** @typedef {import("./send/sending.js").Sending} Sending */

/** @param {{ params: Readonly<Record<string, string>> }} props */
export function screen({ params }) {
  const sending = sendingOf(params["estimateId"] ?? "");
  const isMissing = useOpened(sending);
  const text = words.value.send;
  const shown = estimate(sending.id).value;
  if (!shown) {
    return frame(
      { title: text.send, place: "estimates", back: "/estimates" },
      isMissing
        ? emptyState({
          text: text.gone,
          action: { label: text.toEstimates, onClick: () => go("/estimates") },
        })
        : p({ class: "quiet-text late" }, words.value.common.loading),
    );
  }
  const title = shown.recipientName ? text.sendTo(shown.recipientName) : text.send;
  return frame(
    { title, place: "estimates", back: `/estimates/${shown.id}`, foot: component(Foot, { sending }) },
    component(Content, { sending, shown }),
  );
}

/** @param {Sending} sending */
function useOpened(sending) {
  const [isMissing, setMissing] = useState(false);
  const [isOpened, setOpened] = useState(false);
  const online = isOnline();
  // Before the paint: the buttons below must not change under a finger.
  useLayoutEffect(() => void (sending.handed.value = null), [sending.id]);
  useEffect(() => {
    if (!online) return;
    openSending(sending).then(() => setOpened(true), (error) => {
      if (!isProblem(error) || !isGone(error)) throw error;
      setMissing(true);
    });
  }, [sending.id, online]);
  const lost = sending.unrecorded.value;
  useEffect(() => {
    // Also where the server answered another request before this page was drawn without a connection.
    if (lost && online) void record(sending, lost);
  }, [lost, online]);
  const choices = JSON.stringify(chosen.value);
  useEffect(() => {
    // Choices that were made before have their PDF already.
    if (isOpened && online && !sending.isChanged.peek() && !sending.ready.peek()) void takeUp(sending);
  }, [isOpened, choices]);
  return isMissing;
}

/** @typedef {import("../../../../../types/shapes.d.ts").Estimate} Estimate */

/** @param {{ sending: Sending, shown: Estimate }} props */
function Content({ sending, shown }) {
  const limit = usedUp(sending);
  const problem = limit === null ? sending.problem.value : null;
  return div(
    { class: "send" },
    div(
      { class: "stack" },
      overview({ sending, shown }),
      decision({ sending }),
      problem && notice({ kind: "alarm", text: explained(problem, words.value.common) }),
      limit !== null && limitPanel({ sending, limit }),
      shown.lineItems.length > 0 && pagesOf({ sending, made: sending.ready.value }),
    ),
    div({ class: "stack" }, ...parts(sending, shown)),
  );
}

/** @param {Sending} sending @param {Estimate} shown */
function parts(sending, shown) {
  const made = sending.ready.value;
  const isConfirmed = latestNumber(sending) > 0;
  const isOffered = !sending.handed.value && standing(sending.id) === undefined;
  return [
    isOffered && becomesWork({ sending }),
    document(),
    made ? message({ sending, made }) : client({ estimate: shown }),
    made && ways({ sending, made }),
    isConfirmed && links({ sending }),
    isConfirmed && decided({ sending }),
    made && history({ sending }),
    options(),
    !made && history({ sending }),
  ];
}

/** @param {{ sending: Sending }} props */
function Foot({ sending }) {
  const text = words.value.send;
  const progress = sending.progress.value;
  const made = sending.ready.value;
  const number = latestNumber(sending);
  if (sending.handed.value && !sending.isChanged.value) return handed(sending);
  if (made && !progress) return div({ class: "stack" }, needsConnection(), mainWay({ sending, made }));
  const label = sending.isChanged.value ? text.confirm(number + 1) : text.makePdf(number);
  const hasLines = (estimate(sending.id).value?.lineItems.length ?? 0) > 0;
  return div(
    { class: "stack" },
    needsConnection(),
    actionButton({
      kind: "main",
      wide: true,
      label: progress ? text.progress[progress] : label,
      icon: progress ? "clock" : "check",
      busy: progress !== "",
      disabled: !isOnline() || !hasLines || usedUp(sending) !== null,
      onClick: () => void prepare(sending),
    }),
    p({ class: "spoken", role: "status" }, progress && text.progress[progress]),
  );
}

/** It has left: what comes next. @param {Sending} sending */
function handed(sending) {
  const { send: text, common } = words.value;
  const { kind = "pdf-shared", pdfExportId } = sending.handed.value ?? {};
  const isOnDevice = kind === "email-opened" || kind === "message-copied";
  const isToAttach = isOnDevice && pdfExportId === sending.ready.value?.pdf.id;
  return div(
    { class: "stack" },
    p({ class: "send-done", role: "status" }, icon("circle-check"), common.handoff[kind]),
    isToAttach && p({}, text.attach),
    div(
      { class: "send-next" },
      becomesWork({ sending }),
      actionButton({ kind: "main", label: text.done, onClick: () => go("/estimates") }),
    ),
  );
}
