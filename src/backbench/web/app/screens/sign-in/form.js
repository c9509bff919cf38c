// Sign-in form: on the sign-in screen, and in the sheet over a screen whose session has ended.

import { actionButton } from "../../components/action-button.js";
import { choice } from "../../components/choice.js";
import { notice } from "../../components/notice.js";
import { component, form } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { words } from "../../i18n/index.js";
import { explained } from "../../i18n/problems.js";
import { language } from "../../state/preferences.js";
import { signIn } from "../../state/session.js";
import { useState } from "../../vendor/hooks.js";

/** @typedef {{ onDone?: () => void, email?: string }} SignInForm */

/** @param {SignInForm} props */
export const signInForm = (props) => component(SignInForm, props);

/** @param {SignInForm} props */
function SignInForm({ onDone, email: known = "" }) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const text = words.value.account;
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(null);
    await signIn(email.trim(), password).then(() => onDone?.(), setProblem);
    setBusy(false);
  };
  return form(
    { class: "stack", onSubmit: submit },
    textField({
      label: text.email,
      type: "email",
      value: email,
      autocomplete: "username",
      onInput: setEmail,
      name: "email",
    }),
    textField({
      label: text.password,
      type: "password",
      value: password,
      autocomplete: "current-password",
      onInput: setPassword,
      name: "password",
    }),
    problem && notice({
      kind: "alarm",
      text: [400, 401].includes(problem.status) ? text.wrong : explained(problem, words.value.common),
    }),
    actionButton({ label: words.value.common.buttons.signIn, kind: "main", type: "submit", busy }),
  );
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
