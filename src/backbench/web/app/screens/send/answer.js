// Answer: the client said yes or no in person, by telephone, email or message.

import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/choice.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { component, div } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { sendWords } from "../../words/send.js";
import { estimate } from "../../state/estimates.js";
import { recordDecision } from "../../state/links.js";
import { useState } from "../../vendor/hooks.js";
import { latestNumber, loadSummary } from "./sending.js";
import { useCommand } from "../../components/command.js";

/** @typedef {import("./sending.js").Sending} Sending */

/** @typedef {Pick<Api.NewDecision, "outcome" | "method" | "name">} Given */

const METHODS = /** @type {const} */ (["in_person", "phone", "email", "message"]);

/** @param {{ sending: Sending }} props */
export const answer = (props) => component(Answer, props);

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
  await loadSummary(sending);
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
