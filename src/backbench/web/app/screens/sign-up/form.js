// Sign-up form: name, address, password, terms. What is refused is said at its field.

import { actionButton } from "../../components/action-button.js";
import { notice } from "../../components/notice.js";
import { form, input, label, p, span } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { isProblem } from "../../api/problems.js";
import { explained, fieldExplained } from "../../i18n/problems.js";
import { words } from "../../i18n/index.js";
import { language } from "../../state/preferences.js";
import { signUp } from "../../state/session.js";
import { useState } from "../../vendor/hooks.js";

/** @typedef {{ name: string, email: string, password: string, acceptTerms: boolean }} Draft */
/** @typedef {import("../../api/problems.js").Problem} Problem */
/** @typedef {{ draft: Draft, set: (fields: Partial<Draft>) => void, wrong: (field: string) => string | undefined }} Part */

/** @param {{ email: string, onSent: (email: string) => void, onClosed: (email: string) => void }} props */
export function SignUpForm({ email, onSent, onClosed }) {
  const [draft, setDraft] = useState({ name: "", email, password: "", acceptTerms: false });
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const [busy, setBusy] = useState(false);
  const [isTried, setTried] = useState(false);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setTried(true);
    if (busy || !draft.acceptTerms) return;
    setBusy(true);
    const failed = await request(draft);
    setBusy(false);
    setProblem(failed);
    if (!failed) onSent(draft.email.trim());
    else if (failed.status === 403) onClosed(draft.email.trim());
  };
  const set = (/** @type {Partial<Draft>} */ fields) => setDraft((now) => ({ ...now, ...fields }));
  const part = { draft, set, wrong: (/** @type {string} */ field) => wrongAt(problem, field) };
  return form(
    { class: "stack", onSubmit: submit, noValidate: true },
    ...who(part),
    password(part),
    terms(part, isTried && !draft.acceptTerms),
    problem && problem.errors.length === 0 &&
      notice({ kind: "alarm", text: explained(problem, words.value.common) }),
    actionButton({ label: words.value.start.signUp, kind: "main", type: "submit", busy }),
  );
}

/** Null once the email is on its way. @param {Draft} draft */
async function request({ name, email, password }) {
  const body = { name: name.trim(), email: email.trim(), password, locale: language.value };
  try {
    await signUp({ ...body, acceptTerms: true });
    return null;
  } catch (error) {
    if (!isProblem(error)) throw error;
    return error;
  }
}

/** @param {Problem | null} problem @param {string} field */
function wrongAt(problem, field) {
  const found = problem?.errors.find(({ pointer }) => pointer === `/${field}`);
  return found && fieldExplained(found, words.value.common);
}

/** @param {Part} part */
function who({ draft, set, wrong }) {
  const text = words.value.start;
  return [
    textField({
      label: text.name,
      help: text.nameHelp,
      value: draft.name,
      problem: wrong("name"),
      autocomplete: "name",
      name: "name",
      maxLength: 100,
      onInput: (name) => set({ name }),
    }),
    textField({
      label: words.value.account.email,
      type: "email",
      value: draft.email,
      problem: wrong("email") && text.emailWrong,
      autocomplete: "username",
      name: "email",
      onInput: (email) => set({ email }),
    }),
  ];
}

/** @param {Part} part */
function password({ draft, set, wrong }) {
  const text = words.value.start;
  return textField({
    label: text.password,
    help: text.passwordHelp,
    type: "password",
    value: draft.password,
    problem: wrong("password"),
    autocomplete: "new-password",
    name: "password",
    maxLength: 256,
    onInput: (typed) => set({ password: typed }),
  });
}

/** @param {Part} part @param {boolean} isMissing */
function terms({ draft, set }, isMissing) {
  const text = words.value.start;
  return label(
    { class: "accept" },
    input({
      type: "checkbox",
      checked: draft.acceptTerms,
      "aria-invalid": isMissing ? "true" : undefined,
      onChange: (event) => set({ acceptTerms: event.currentTarget.checked }),
    }),
    span({}, text.terms, isMissing && p({ class: "field-problem", role: "alert" }, text.termsMissing)),
  );
}
