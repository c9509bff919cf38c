// Feedback: a question or an idea, to the people who run the server.

import { call } from "../../../api/client.js";
import { actionButton } from "../../../components/action-button.js";
import { choice } from "../../../components/choice.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { notice } from "../../../components/notice.js";
import { sheet } from "../../../components/sheet.js";
import { component, div } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { words } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { command } from "../../../state/commands.js";
import { useState } from "../../../vendor/hooks.js";
import { atField, problemNotice } from "../common/problem-notice.js";
import { useCommand } from "../../../components/command.js";

const KINDS = /** @type {const} */ (["support", "feedback"]);

export function Feedback() {
  const [open, setOpen] = useState(false);
  const text = shopWords.value.overview;
  return div(
    { class: "stack" },
    actionButton({ label: text.feedback, icon: "message-circle", onClick: () => setOpen(true) }),
    open && component(FeedbackSheet, { onClose: () => setOpen(false) }),
  );
}

/** @param {{ onClose: () => void }} props */
function FeedbackSheet({ onClose }) {
  const [body, setBody] = useState({
    kind: /** @type {typeof KINDS[number]} */ ("support"),
    title: "",
    message: "",
  });
  const [isSent, setIsSent] = useState(false);
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.overview;
  const { buttons } = words.value.common;
  const send = async () =>
    setIsSent(
      await run(() =>
        command(["feedback", body], (key) =>
          call("POST /feedback", {}, { body: { ...body, path: location.pathname }, key }))
      ),
    );
  const foot = isSent
    ? actionButton({ label: buttons.close, kind: "main", onClick: onClose })
    : actionButton({ label: buttons.send, icon: "send", kind: "main", busy, onClick: () => void send() });
  if (isSent) {
    return sheet({ title: text.feedback, onClose, foot }, notice({ kind: "good", text: text.feedbackSent }));
  }
  return sheet(
    { title: text.feedback, onClose, foot },
    needsConnection(),
    fields(body, setBody, problem),
    problem?.code === "validation_error" ? null : problemNotice(problem),
  );
}

/** @param {any} body @param {(body: any) => void} change @param {import("../../../api/problems.js").Problem | null} problem */
function fields(body, change, problem) {
  const text = shopWords.value.overview;
  const titleProblem = atField(problem, "/title");
  const messageProblem = atField(problem, "/message");
  return div(
    { class: "stack" },
    choice({
      label: text.feedbackKind,
      value: body.kind,
      options: KINDS.map((value) => ({ value, label: text.feedbackKinds[value] })),
      onChange: (kind) => change({ ...body, kind }),
    }),
    textField({
      label: text.feedbackTitle,
      value: body.title,
      maxLength: 250,
      onInput: (title) => change({ ...body, title }),
      ...(titleProblem ? { problem: titleProblem } : {}),
    }),
    textField({
      label: text.feedbackMessage,
      value: body.message,
      multiline: true,
      maxLength: 5000,
      onInput: (message) => change({ ...body, message }),
      ...(messageProblem ? { problem: messageProblem } : {}),
    }),
  );
}
