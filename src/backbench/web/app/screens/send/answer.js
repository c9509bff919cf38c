// Answer: the client said yes or no in person, by telephone, e-mail or message.

import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/choice.js";
import { isOnline, needsConnection } from "../../components/needs-connection.js";
import { sheet } from "../../components/sheet.js";
import { component, div, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { words } from "../../i18n/index.js";
import { estimate } from "../../state/estimates.js";
import { recordDecision } from "../../state/links.js";
import { useState } from "../../vendor/hooks.js";
import { latestNumber, loadSummary, once } from "./sending.js";
import { useWork } from "./work.js";

/** @typedef {import("../../../../../../types/shapes.d.ts").NewDecision} NewDecision */
/** @typedef {import("./sending.js").Sending} Sending */

const METHODS = /** @type {const} */ (["in_person", "phone", "email", "message"]);

/** @param {{ sending: Sending }} props */
export const answer = (props) => component(Answer, props);

/** @param {{ sending: Sending }} props */
function Answer({ sending }) {
  const [isOpen, setOpen] = useState(false);
  return div(
    {},
    actionButton({
      label: words.value.send.record,
      icon: "signature",
      wide: true,
      onClick: () => setOpen(true),
    }),
    isOpen && component(Form, { sending, onClose: () => setOpen(false) }),
  );
}

/** @param {{ sending: Sending, onClose: () => void }} props */
function Form({ sending, onClose }) {
  const text = words.value.send;
  const [outcome, setOutcome] = useState(/** @type {NewDecision["outcome"]} */ ("accepted"));
  const [method, setMethod] = useState(/** @type {NewDecision["method"]} */ ("in_person"));
  const [name, setName] = useState(estimate(sending.id).peek()?.recipientName ?? "");
  const { busy, problem, run } = useWork();
  const save = () =>
    run("record", async () => {
      const body = { outcome, method, name: name.trim(), revisionNumber: latestNumber(sending) };
      await once(sending, `decision ${JSON.stringify(body)}`, (key) => recordDecision(sending.id, body, key));
      await loadSummary(sending);
    }, onClose);
  const foot = div(
    { class: "stack" },
    needsConnection(),
    actionButton({
      kind: "main",
      wide: true,
      label: text.linkState[outcome],
      icon: "check",
      busy: busy !== "",
      disabled: !isOnline() || !name.trim(),
      onClick: () => void save(),
    }),
  );
  return sheet(
    { title: text.recordTitle(latestNumber(sending)), onClose, foot },
    choice({
      label: text.said,
      value: outcome,
      options: [{ value: "accepted", label: text.yes }, { value: "declined", label: text.no }],
      onChange: setOutcome,
    }),
    choice({
      label: text.howSaid,
      value: method,
      options: METHODS.map((value) => ({ value, label: text.methods[value] })),
      onChange: setMethod,
    }),
    textField({
      label: text.signer,
      value: name,
      maxLength: 250,
      autocomplete: "off",
      onInput: setName,
      help: text.signerHelp,
    }),
    problem && p({ class: "field-problem", role: "alert" }, problem),
  );
}
