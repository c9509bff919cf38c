// Foot of sending: the one next step: confirm, show the new revision, or hand over.

import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import { Fragment } from "../../vendor/preact.js";
import { component, div, icon, p, span } from "../../components/tags.js";
import { words } from "../../words/words.js";
import { sendWords } from "../../words/send.js";
import { estimate } from "../../state/estimates.js";
import { standing } from "../../state/links.js";
import { go } from "../../state/router.js";
import { useState } from "../../vendor/hooks.js";
import { chosen } from "./choices.js";
import { asksFirst, FirstSheet } from "./first.js";
import { becomesWork } from "./history.js";
import { usedUp } from "./limit.js";
import { outdatedLink, prepare, showAddress } from "./preparing.js";
import { latestNumber } from "./sending.js";
import { mainWay } from "./ways.js";

/** @typedef {import("./sending.js").Sending} Sending */

/** @param {{ sending: Sending }} props */
export const foot = (props) => component(Foot, props);

/** @param {{ sending: Sending }} props */
function Foot({ sending }) {
  const [isAsking, setAsking] = useState(false);
  const progress = sending.progress.value;
  const made = sending.ready.value;
  const start = () => {
    if (asksFirst(sending)) setAsking(true);
    else void prepare(sending);
  };
  const confirmed = () => {
    setAsking(false);
    void prepare(sending);
  };
  const asked = isAsking &&
    component(FirstSheet, { id: sending.id, onDone: confirmed, onClose: () => setAsking(false) });
  if (sending.handed.value && !sending.isChanged.value) return handed(sending);
  // The client has said yes: the order is the one step left.
  if (standing(sending.id)?.outcome === "accepted" && !sending.isChanged.value) {
    return becomesWork({ sending, isMain: true });
  }
  if (made && !progress) return div({ class: "stack" }, offline(), mainOf(sending, made));
  return component(Fragment, {}, asked, div({ class: "stack" }, offline(), step(sending, start)));
}

/** A closed address is shown again before it can be shared. @param {Sending} sending @param {import("./sending.js").Package} made */
function mainOf(sending, made) {
  const isClosed = made.link !== undefined && !made.address;
  if (!isClosed) return mainWay({ sending, made });
  return actionButton({
    kind: "main",
    wide: true,
    label: sendWords.value.sendAgain,
    icon: "link",
    disabled: !isOnline(),
    onClick: () => void showAddress(sending, made),
  });
}

/** @param {Sending} sending @param {() => void} onClick */
function step(sending, onClick) {
  const text = sendWords.value;
  const progress = sending.progress.value;
  const hasLines = (estimate(sending.id).value?.lineItems.length ?? 0) > 0;
  return [
    actionButton({
      kind: "main",
      wide: true,
      label: progress ? text.progress[progress] : labelOf(sending),
      icon: progress ? "clock" : "check",
      busy: progress !== "",
      // A link and a PDF can be made again.
      isFinal: sending.isChanged.value || outdatedLink(sending) !== undefined,
      disabled: !isOnline() || !hasLines || usedUp(sending) !== null,
      onClick,
    }),
    p({ class: "spoken", role: "status" }, progress && text.progress[progress]),
  ];
}

/** @param {Sending} sending */
function labelOf(sending) {
  const text = sendWords.value;
  const number = latestNumber(sending);
  if (sending.isChanged.value) return text.confirm(number + 1);
  const { way } = chosen.value;
  if (way === "pdf") return text.makePdf(number);
  return outdatedLink(sending) ? text.showRevision(number) : text.makeLink(number);
}

/** Why nothing can be sent now. */
function offline() {
  if (isOnline()) return null;
  return p({ class: "row quiet-text", role: "status" }, icon("wifi-off"), span({}, sendWords.value.offline));
}

/** It has left: what comes next. @param {Sending} sending */
function handed(sending) {
  const text = sendWords.value;
  const { common } = words.value;
  const { kind = "pdf-shared", pdfExportId } = sending.handed.value ?? {};
  const isOnDevice = kind === "email-opened" || kind === "message-copied";
  const isToAttach = isOnDevice && pdfExportId !== undefined && pdfExportId === sending.ready.value?.pdf?.id;
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
