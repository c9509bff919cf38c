// Decision: what the client said about the estimate, and how it is known.

import { actionButton } from "../../components/action-button.js";
import { isOnline } from "../../components/needs-connection.js";
import { b, component, details, div, icon, p, section, span, summary } from "../../components/tags.js";
import { stamp } from "../../components/stamp.js";
import { textField } from "../../components/text-field.js";
import { dateTime } from "../../domain/format.js";
import { wordsLanguage } from "../../words/words.js";
import { sendWords } from "../../words/send.js";
import { address } from "../../api/early.js";
import { shared, standing, voidDecision } from "../../state/links.js";
import { useState } from "../../vendor/hooks.js";
import { answer } from "./answer.js";
import { becomesWork } from "./history.js";
import { loadSummary } from "./sending.js";
import { useCommand } from "../../components/command.js";

/** @typedef {import("./sending.js").Sending} Sending */

/** @param {{ sending: Sending }} props */
export const decision = (props) => component(Standing, props);

/** @param {{ sending: Sending }} props */
function Standing({ sending }) {
  const text = sendWords.value;
  const found = standing(sending.id);
  if (!found) return null;
  const isYes = found.outcome === "accepted";
  return section(
    { class: isYes ? "notice good" : "notice alarm" },
    stamp({ status: isYes ? "done" : "alarm", word: text.linkState[found.outcome] }),
    said(found),
    div(
      { class: "row" },
      // Else it is at the foot.
      isYes && sending.isChanged.value && becomesWork({ sending }),
      actionButton({
        label: text.certificate,
        icon: "file-text",
        href: address(`/decisions/${found.id}/certificate`),
      }),
    ),
    component(Withdrawal, { sending, found }),
  );
}

/** @param {Api.Decision} decision */
function said({ name, reason, method, decidedAt, revisionNumber }) {
  const text = sendWords.value;
  const facts = [
    text.revision(revisionNumber),
    text.methods[method],
    dateTime(decidedAt, wordsLanguage.value),
  ];
  return div(
    {},
    name && b({}, name),
    p({}, facts.join(" · ")),
    reason && p({ class: "comment-text" }, reason),
  );
}

/** It was a mistake. @param {{ sending: Sending, found: Api.Decision }} props */
function Withdrawal({ sending, found }) {
  const text = sendWords.value;
  const [reason, setReason] = useState("");
  const { busy, said: problem, run } = useCommand();
  const withdraw = () => run(() => voidDecision(found, reason.trim()).then(() => loadSummary(sending)));
  return details(
    { class: "more" },
    summary({}, span({}, text.wrong), icon("chevron-down")),
    div(
      { class: "stack" },
      textField({
        label: text.voidReason,
        value: reason,
        maxLength: 2000,
        onInput: setReason,
        help: text.voidHelp,
        problem,
      }),
      actionButton({
        label: text.voidIt,
        kind: "danger",
        isFinal: true,
        busy,
        disabled: !isOnline() || !reason.trim(),
        onClick: () => void withdraw(),
      }),
    ),
  );
}

/** The decisions that no longer stand, and the way to note one. @param {{ sending: Sending }} props */
export const decided = (props) => component(Decided, props);

/** @param {{ sending: Sending }} props */
function Decided({ sending }) {
  const text = sendWords.value;
  const known = shared(sending.id).value;
  const voided = known?.decisions.filter((each) => each.voided) ?? [];
  const isAnswered = standing(sending.id) !== undefined;
  if (isAnswered && !voided.length) return null;
  return div(
    { class: "stack" },
    known && !isAnswered && answer({ sending }),
    ...voided.map((each) =>
      section(
        { class: "notice", key: each.id },
        p({}, text.voided(text.linkState[each.outcome], each.voided?.reason ?? "")),
        said(each),
      )
    ),
  );
}
