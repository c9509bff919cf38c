// Send: an estimate leaves the workshop. One question: how does the client get it?

import { isGone, isProblem } from "../api/problems.js";
import { emptyState } from "../components/empty-state.js";
import { frame } from "../components/frame.js";
import { isOnline } from "../components/needs-connection.js";
import { notice } from "../components/notice.js";
import { later } from "../components/later.js";
import { component, div, p } from "../components/tags.js";
import { explained } from "../words/problems.js";
import { words } from "../words/words.js";
import { sendWords } from "../words/send.js";
import { isLocal } from "../domain/ids.js";
import { customerOf, openCustomer } from "../state/customers.js";
import { estimate, facts } from "../state/estimates.js";
import { standing } from "../state/links.js";
import { softly } from "../state/records.js";
import { go } from "../state/router.js";
import { useEffect, useLayoutEffect, useState } from "../vendor/hooks.js";
import { chosen, clientLanguage } from "./send/choices.js";
import { client } from "./send/client.js";
import { comments } from "./send/comments.js";
import { decided, decision } from "./send/decision.js";
import { foot } from "./send/foot.js";
import { becomesWork, history } from "./send/history.js";
import { limitPanel, usedUp } from "./send/limit.js";
import { links } from "./send/links.js";
import { message } from "./send/message.js";
import { overview } from "./send/overview.js";
import { takeUp } from "./send/preparing.js";
import { question } from "./send/question.js";
import { latestNumber, openSending, sendingOf } from "./send/sending.js";
import { pagesOf } from "./send/sources.js";
import { record } from "./send/sharing.js";
import { ways } from "./send/ways.js";

/** @typedef {import("./send/sending.js").Sending} Sending */

const PushHint = later(() => import("./send/push-hint.js"));

/** @param {{ params: Readonly<Record<string, string>> }} props */
export function screen({ params }) {
  const sending = sendingOf(params["estimateId"] ?? "");
  const isMissing = useOpened(sending);
  const text = sendWords.value;
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
    {
      title,
      place: "estimates",
      back: `/estimates/${shown.id}`,
      foot: foot({ sending }),
      problem: component(FootProblem, { sending }),
    },
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
  useClientLanguage(sending);
  const choices = JSON.stringify(chosen.value);
  useEffect(() => {
    // What was made before for these choices is there already.
    if (isOpened && online && !sending.isChanged.peek() && !sending.ready.peek()) void takeUp(sending);
  }, [isOpened, choices]);
  return isMissing;
}

/** The client is written to in the language of its record. @param {Sending} sending */
function useClientLanguage(sending) {
  const customerId = facts(sending.id).value?.customerId ?? "";
  const known = customerOf(customerId)?.locale;
  const online = isOnline();
  useEffect(() => {
    if (customerId && online && !isLocal(customerId)) void softly(() => openCustomer(customerId));
  }, [customerId, online]);
  useLayoutEffect(() => {
    clientLanguage.value = known;
    return () => void (clientLanguage.value = undefined);
  }, [sending.id, known]);
}

/** Why the last step was refused, or the next one is not possible. @param {{ sending: Sending }} props */
function FootProblem({ sending }) {
  const limit = usedUp(sending);
  if (limit !== null) return notice({ kind: "warning", text: sendWords.value.limit(limit) });
  const problem = sending.problem.value;
  return problem && notice({ kind: "alarm", text: explained(problem, words.value.common) });
}

/** @param {{ sending: Sending, shown: Api.Estimate }} props */
function Content({ sending, shown }) {
  const limit = usedUp(sending);
  const made = sending.ready.value;
  const found = standing(sending.id);
  const isOffered = !sending.handed.value && found === undefined;
  const isAccepted = found?.outcome === "accepted" && !sending.isChanged.value;
  return div(
    { class: "send" },
    div(
      { class: "stack" },
      overview({ sending, shown, pages: shown.lineItems.length > 0 && pagesOf({ sending, made }) }),
      decision({ sending }),
      comments({ sending }),
      limit !== null && limitPanel({ sending }),
    ),
    div(
      { class: "stack" },
      !isAccepted && question({ sending }),
      !isAccepted && (made ? message({ sending, made }) : client({ estimate: shown })),
      !isAccepted && made && ways({ sending, made }),
      ...(latestNumber(sending) > 0 ? [links({ sending }), decided({ sending })] : []),
      isOffered && becomesWork({ sending }),
      history({ sending }),
      component(PushHint, { sending }),
    ),
  );
}
