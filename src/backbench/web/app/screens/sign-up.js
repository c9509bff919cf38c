// Sign up: an account by email address; the link that comes by email ends it.

import { errorWords } from "../words/errors.js";
import { call } from "../api/client.js";
import { isProblem } from "../api/problems.js";
import { actionButton } from "../components/action-button.js";
import { needsConnection, useCommand } from "../components/command.js";
import { notice } from "../components/notice.js";
import { a, component, div, form, h1, input, label, p, span } from "../components/tags.js";
import { textField } from "../components/text-field.js";
import { hostPage, offers } from "../local/system.js";
import { language } from "../state/preferences.js";
import { route } from "../state/router.js";
import { useLayoutEffect, useRef, useState } from "../vendor/hooks.js";
import { mailWords } from "../words/mail.js";
import { explained, fieldExplained } from "../words/problems.js";
import { startWords } from "../words/start.js";
import { words } from "../words/words.js";
import { gate } from "./sign-in/form.js";

/** In the address: `email`, of somebody who is invited. */
export function screen() {
  const { email = "" } = route.value.query;
  const [state, setState] = useState(/** @type {"form" | "sent" | "closed"} */ ("form"));
  const [address, setAddress] = useState(email);
  const text = startWords.value;
  if (state === "sent") {
    return gate(component(Sent, { email: address, onBack: () => setState("form") }));
  }
  if (state === "closed" || !offers("sign-up")) return gate(...closed(address, () => setState("form")));
  return gate(
    h1({}, email ? text.invited : text.signUpTitle),
    email && p({}, text.invitedHelp),
    component(SignUpForm, {
      email: address,
      onSent: (sentTo) => {
        setAddress(sentTo);
        setState("sent");
      },
      onClosed: (refused) => {
        setAddress(refused);
        setState("closed");
      },
    }),
    actionButton({ label: text.haveAccount, kind: "quiet", href: "/sign-in" }),
  );
}

/** The server takes nobody, or only who is invited. @param {string} email @param {() => void} onBack */
function closed(email, onBack) {
  const text = startWords.value;
  return [
    h1({ tabIndex: -1 }, text.closedTitle),
    p({}, text.closed),
    email && p({ class: "quiet-text" }, email),
    p({ class: "quiet-text" }, text.closedHelp),
    offers("sign-up") && actionButton({ label: text.otherAddress, onClick: onBack }),
    actionButton({ label: text.haveAccount, kind: "quiet", href: "/sign-in" }),
  ];
}

/** @param {{ email: string, onBack: () => void }} props */
function Sent({ email, onBack }) {
  const text = mailWords.value;
  const [said, setSaid] = useState(/** @type {{ kind: "good" | "alarm", text: string } | null} */ (null));
  const head = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  useLayoutEffect(() => head.current?.focus(), []);
  const again = async () => {
    try {
      await call("POST /accounts/verify/resend", {}, { body: { email }, isPublic: true });
      setSaid({ kind: "good", text: text.sentAgain });
    } catch (error) {
      if (!isProblem(error)) throw error;
      setSaid({ kind: "alarm", text: explained(error) });
    }
  };
  return div(
    { class: "stack" },
    h1({ tabIndex: -1, ref: head }, text.look),
    p({ role: "status" }, text.verifySent(email)),
    p({ class: "quiet-text" }, text.notThere),
    said && notice(said),
    actionButton({ label: text.sendAgain, icon: "mail", onClick: () => void again() }),
    actionButton({ label: startWords.value.otherAddress, kind: "quiet", onClick: onBack }),
    actionButton({ label: startWords.value.backToSignIn, kind: "quiet", href: "/sign-in" }),
  );
}

// Sign-up form: name, address, the host's terms. All that is wrong is said at once, each at its field. The password is
// chosen with the link in the email.

/** @typedef {{ name: string, email: string, acceptTerms: boolean }} Draft */
/** @typedef {import("../api/problems.js").Problem} Problem */
/** @typedef {{ draft: Draft, set: (fields: Partial<Draft>) => void, wrong: (field: string) => string | undefined }} Part */

/** @param {{ email: string, onSent: (email: string) => void, onClosed: (email: string) => void }} props */
function SignUpForm({ email, onSent, onClosed }) {
  const [draft, setDraft] = useState({ name: "", email, acceptTerms: !hostPage("terms") });
  const [isTried, setTried] = useState(false);
  const { problem, busy, run } = useCommand();
  const element = useRef(/** @type {HTMLFormElement | null} */ (null));
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setTried(true);
    const isComplete = Object.keys(missing(draft)).length === 0;
    if (isComplete && await run(() => request(draft, onClosed))) onSent(draft.email.trim());
    else focusFirst(element.current);
  };
  const own = isTried ? missing(draft) : {};
  const part = {
    draft,
    set: (/** @type {Partial<Draft>} */ fields) => setDraft((now) => ({ ...now, ...fields })),
    wrong: (/** @type {string} */ field) => own[/** @type {"name"} */ (field)] ?? wrongAt(problem, field),
  };
  return form(
    { class: "stack", onSubmit: submit, noValidate: true, ref: element },
    ...who(part),
    terms(part),
    needsConnection(),
    problem && problem.errors.length === 0 &&
      notice({ kind: "alarm", text: explained(problem) }),
    actionButton({ label: startWords.value.signUp, kind: "main", type: "submit", busy }),
  );
}

/** What can be seen to be wrong before it is sent. @param {Draft} draft @returns {Partial<Record<keyof Draft, string>>} */
function missing({ name, email, acceptTerms }) {
  const text = startWords.value;
  return {
    ...(name.trim() ? {} : { name: errorWords.value.fields.missing }),
    ...(/^[^\s@]+@[^\s@]+$/.test(email.trim())
      ? {}
      : { email: email.trim() ? text.emailWrong : errorWords.value.fields.missing }),
    ...(acceptTerms ? {} : { acceptTerms: text.termsMissing }),
  };
}

/** Once the problems are on the page. @param {HTMLFormElement | null} element */
function focusFirst(element) {
  requestAnimationFrame(() =>
    /** @type {HTMLElement | null | undefined} */ (element?.querySelector("[aria-invalid=true]"))?.focus()
  );
}

/** Throws Problem. @param {Draft} draft @param {(email: string) => void} onClosed */
async function request({ name, email }, onClosed) {
  const body = { name: name.trim(), email: email.trim(), locale: language.value };
  try {
    await call("POST /accounts", {}, { body: { ...body, acceptTerms: true }, isPublic: true });
  } catch (error) {
    if (isProblem(error) && error.status === 403) onClosed(body.email);
    throw error;
  }
}

/** @param {Problem | null} problem @param {string} field */
function wrongAt(problem, field) {
  const found = problem?.errors.find(({ pointer }) => pointer === `/${field}`);
  return found && fieldExplained(found);
}

/** @param {Part} part */
function who({ draft, set, wrong }) {
  const text = startWords.value;
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
      problem: wrong("email"),
      autocomplete: "username",
      name: "email",
      onInput: (email) => set({ email }),
    }),
  ];
}

/** The host's own pages; without terms there is nothing to accept. @param {Part} part */
function terms({ draft, set, wrong }) {
  const text = startWords.value;
  const [address, privacy] = [hostPage("terms"), hostPage("privacy")];
  const problem = wrong("acceptTerms");
  return [
    address && label(
      { class: "accept" },
      input({
        type: "checkbox",
        checked: draft.acceptTerms,
        "aria-invalid": problem ? "true" : undefined,
        onChange: (event) => set({ acceptTerms: event.currentTarget.checked }),
      }),
      span(
        {},
        text.terms,
        " (",
        a({ href: address, target: "_blank", rel: "noopener" }, text.readTerms),
        ")",
        problem && p({ class: "field-problem", role: "alert" }, problem),
      ),
    ),
    privacy &&
    p({ class: "quiet-text" }, a({ href: privacy, target: "_blank", rel: "noopener" }, text.privacy)),
  ];
}
