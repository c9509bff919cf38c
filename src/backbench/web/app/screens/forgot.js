// Forgot: asks for the link to a new password, or says who makes one. The answer is the same whether or not there is an
// account.

import { call } from "../api/client.js";
import { actionButton } from "../components/action-button.js";
import { needsConnection } from "../components/command.js";
import { notice } from "../components/notice.js";
import { code, component, form, h1, p } from "../components/tags.js";
import { textField } from "../components/text-field.js";
import { isProblem } from "../api/problems.js";
import { explained } from "../words/problems.js";
import { words } from "../words/words.js";
import { mailWords } from "../words/mail.js";
import { startWords } from "../words/start.js";
import { offers } from "../local/system.js";
import { useState } from "../vendor/hooks.js";
import { gate } from "./sign-in/form.js";

/** @typedef {import("../api/problems.js").Problem} Problem */

export function screen() {
  const [sent, setSent] = useState("");
  const text = startWords.value;
  if (!offers("mail")) return byHand();
  return gate(
    h1({}, sent ? mailWords.value.look : text.forgotTitle),
    sent ? p({ role: "status" }, mailWords.value.resetSent(sent)) : component(Request, { onSent: setSent }),
    sent && actionButton({ label: text.otherAddress, onClick: () => setSent("") }),
    actionButton({ label: text.backToSignIn, kind: "quiet", href: "/sign-in" }),
  );
}

/** The server sends no emails: its host makes the link. */
function byHand() {
  const text = startWords.value;
  return gate(
    h1({}, text.forgotTitle),
    p({}, text.forgotByHand),
    p({ class: "quiet-text" }, text.forgotCommand, " ", code({}, "backbench accounts reset-link EMAIL")),
    actionButton({ label: text.backToSignIn, kind: "quiet", href: "/sign-in" }),
  );
}

/** @param {{ onSent: (email: string) => void }} props */
function Request({ onSent }) {
  const [email, setEmail] = useState("");
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const [busy, setBusy] = useState(false);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const failed = await call("POST /password-resets", {}, { body: { email: email.trim() }, isPublic: true })
      .then(() => null, refusal);
    setBusy(false);
    setProblem(failed);
    if (!failed) onSent(email.trim());
  };
  return form(
    { class: "stack", onSubmit: submit, noValidate: true },
    p({}, mailWords.value.forgotHelp),
    address(email, setEmail, problem),
    needsConnection(),
    problem && problem.errors.length === 0 &&
      notice({ kind: "alarm", text: explained(problem) }),
    actionButton({ label: mailWords.value.sendLink, kind: "main", type: "submit", busy }),
  );
}

/** @param {string} value @param {(email: string) => void} onInput @param {Problem | null} problem */
function address(value, onInput, problem) {
  return textField({
    label: words.value.account.email,
    type: "email",
    value,
    ...(problem?.errors.length ? { problem: startWords.value.emailWrong } : {}),
    autocomplete: "username",
    name: "email",
    onInput,
  });
}

/** @param {unknown} error */
function refusal(error) {
  if (!isProblem(error)) throw error;
  return error;
}
