// Sign-in form: on the sign-in screen, and in the sheet over a screen whose session has ended.

import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/controls.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { component, div, form, main, p } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { offers } from "../../local/system.js";
import { language } from "../../state/preferences.js";
import { signIn } from "../../state/session.js";
import { useEffect, useState } from "../../vendor/hooks.js";
import { explained } from "../../words/problems.js";
import { words } from "../../words/words.js";

/** @typedef {{ onDone?: () => void, email?: string }} SignInForm */

/** @param {SignInForm} props */
export const signInForm = (props) => component(SignInForm, props);

/** @param {SignInForm} props */
function SignInForm({ onDone, email: known = "" }) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState("");
  const { problem, busy, run } = useCommand();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void run(async () => {
      await signIn(email.trim(), password);
      onDone?.();
    });
  };
  return form(
    { class: "stack", onSubmit: submit },
    emailField(email, setEmail),
    passwordField(password, setPassword),
    needsConnection(),
    problem && notice({ kind: "alarm", text: refusal(problem) }),
    actionButton({ label: words.value.common.buttons.signIn, kind: "main", type: "submit", busy }),
  );
}

/** The ways in without the password. */
export function otherWays() {
  const text = words.value.account;
  return [
    offers("google") && actionButton({ label: text.google, href: "/api/auth/google" }),
    actionButton({ label: text.forgotPassword, kind: "quiet", href: "/forgot-password" }),
  ];
}

/** @param {string} value @param {(value: string) => void} onInput */
function emailField(value, onInput) {
  const label = words.value.account.email;
  return textField({ label, type: "email", value, autocomplete: "username", onInput, name: "email" });
}

/** @param {string} value @param {(value: string) => void} onInput */
function passwordField(value, onInput) {
  const label = words.value.account.password;
  const autocomplete = "current-password";
  return textField({ label, type: "password", value, autocomplete, onInput, name: "password" });
}

/** @param {import("../../words/problems.js").ProblemLike} problem */
function refusal(problem) {
  return [400, 401].includes(problem.status) ? words.value.account.wrong : explained(problem);
}

export function LanguageChoice() {
  return choice({
    label: words.value.account.language,
    bare: true,
    value: language.value,
    options: [{ value: "en", label: "English" }, { value: "pl", label: "Polski" }],
    onChange: (value) => (language.value = value),
  });
}

/** @param {any[]} children */
export const gate = (...children) => component(Gate, {}, ...children);

/** @param {{ children?: any }} props */
function Gate({ children }) {
  useEffect(() => {
    document.title = "Backbench";
  }, []);
  return main(
    { class: "gate" },
    div({ class: "gate-panel" }, p({ class: "gate-name" }, "Backbench"), children),
    component(LanguageChoice, {}),
  );
}
