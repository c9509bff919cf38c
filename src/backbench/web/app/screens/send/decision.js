// Decision: what the client said about the estimate, and how it is known.

import { address } from "../../api/early.js";
import { actionButton } from "../../components/action-button.js";
import { choice, fold } from "../../components/controls.js";
import { isOnline, needsConnection, useCommand } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { stamp } from "../../components/ticket.js";
import { b, component, div, p, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { dateTime } from "../../domain/format.js";
import { estimate } from "../../state/estimates.js";
import { recordDecision, shared, standing, voidDecision } from "../../state/links.js";
import { softly } from "../../state/records.js";
import { useState } from "../../vendor/hooks.js";
import { sendWords } from "../../words/send.js";
import { wordsLanguage } from "../../words/words.js";
import { becomesWork } from "./comments.js";
import { latestNumber, loadSummary } from "./sending.js";

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
  const withdraw = () =>
    run(() => voidDecision(found, reason.trim()).then(() => softly(() => loadSummary(sending))));
  return fold(text.wrong, [
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
  ]);
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

// Answer: the client said yes or no in person, by telephone, email or message.

/** @typedef {Pick<Api.NewDecision, "outcome" | "method" | "name">} Given */

const METHODS = /** @type {const} */ (["in_person", "phone", "email", "message"]);

/** @param {{ sending: Sending }} props */
const answer = (props) => component(Answer, props);

/** @param {{ sending: Sending }} props */
function Answer({ sending }) {
  const [isOpen, setOpen] = useState(false);
  return div(
    {},
    actionButton({
      label: sendWords.value.record,
      icon: "signature",
      wide: true,
      onClick: () => setOpen(true),
    }),
    isOpen && component(Form, { sending, onClose: () => setOpen(false) }),
  );
}

/** @param {{ sending: Sending, onClose: () => void }} props */
function Form({ sending, onClose }) {
  const text = sendWords.value;
  const name = estimate(sending.id).peek()?.recipientName ?? "";
  const [given, setGiven] = useState(
    /** @type {Given} */ ({ outcome: "accepted", method: "in_person", name }),
  );
  const { busy, said: problem, run } = useCommand();
  const save = async () => {
    if (await run(() => recorded(sending, given))) onClose();
  };
  const button = actionButton({
    kind: "main",
    wide: true,
    label: text.linkState[given.outcome],
    icon: "check",
    isFinal: true,
    busy,
    disabled: !isOnline() || !given.name.trim(),
    onClick: () => void save(),
  });
  return sheet(
    {
      title: text.recordTitle(latestNumber(sending)),
      onClose,
      foot: div({ class: "stack" }, needsConnection(), button),
      problem: problem && notice({ kind: "alarm", text: problem }),
    },
    fields(given, (changed) => setGiven({ ...given, ...changed })),
  );
}

/** @param {Sending} sending @param {Given} given */
async function recorded(sending, given) {
  const body = { ...given, name: given.name.trim(), revisionNumber: latestNumber(sending) };
  await recordDecision(sending.id, body);
  await softly(() => loadSummary(sending));
}

/** @param {Given} given @param {(changed: Partial<Given>) => void} change */
function fields({ outcome, method, name }, change) {
  const text = sendWords.value;
  return div(
    { class: "stack" },
    choice({
      label: text.said,
      value: outcome,
      options: [{ value: "accepted", label: text.yes }, { value: "declined", label: text.no }],
      onChange: (value) => change({ outcome: value }),
    }),
    choice({
      label: text.howSaid,
      value: method,
      options: METHODS.map((value) => ({ value, label: text.methods[value] })),
      onChange: (value) => change({ method: value }),
    }),
    textField({
      label: text.signer,
      value: name,
      maxLength: 250,
      autocomplete: "off",
      onInput: (value) => change({ name: value }),
      help: text.signerHelp,
    }),
  );
}
