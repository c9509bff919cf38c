// Account: the person, how they sign in, and the end of the account.

import { errorWords } from "../../words/errors.js";
import { boundFields } from "../../components/bound-fields.js";
import { atField, problemNotice, savedMark, settingsFrame, useInvoices } from "./kit.js";
import { call } from "../../api/client.js";
import { actionButton } from "../../components/action-button.js";
import { choice, languageChoice, toggle } from "../../components/controls.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { b, br, component, div, form, h2, input, p, section, span, strong } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { ME } from "../../domain/kinds.js";
import { haptics, language, shortcuts, theme } from "../../state/preferences.js";
import { offers } from "../../local/system.js";
import { savingOf, updateProfile } from "../../state/edits.js";
import { workshops } from "../../state/workshops.js";
import { open } from "../../state/records.js";
import { deleteAccount, session } from "../../state/session.js";
import { useState } from "../../vendor/hooks.js";
import { mailWords } from "../../words/mail.js";
import { shopWords } from "../../words/shop.js";
import { words } from "../../words/words.js";

export function screen() {
  const text = shopWords.value.account;
  const me = session.value.me;
  return settingsFrame(
    { title: text.title },
    me === null && p({ class: "quiet-text late" }, words.value.common.loading),
    me && component(Profile, { me }),
    component(Appearance, {}),
    me && section({ class: "stack" }, h2({}, text.password), component(PasswordPart, { me })),
    me?.signInMethods.includes("google") &&
      section({ class: "stack" }, h2({}, text.google), component(GoogleLink, {})),
    me && section({ class: "stack" }, h2({}, text.remove), component(DeleteAccount, {})),
  );
}

function GoogleLink() {
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.account;
  const unlink = () =>
    void run(async () => {
      await call("DELETE /me/sign-in-methods/google");
      await open("profile", ME);
    });
  return section(
    { class: "panel" },
    p({}, text.googleLinked),
    needsConnection(),
    problemNotice(problem),
    actionButton({ label: text.unlink, busy, onClick: unlink }),
  );
}

/** @param {{ me: Api.MeProfile }} props */
function Profile({ me }) {
  const { account: text, saving } = shopWords.value;
  const record = /** @type {const} */ ({ kind: "profile", id: ME });
  const field = boundFields({ ...record, value: { value: me }, save: updateProfile }, text);
  const help = savingOf("profile", ME) === "saving" ? saving.saving : text.nameHelp;
  return section(
    { class: "panel" },
    field.text("name", { help, maxLength: 100, autocomplete: "name", empty: "" }),
    p({}, span({ class: "label" }, text.email), br({}), b({ class: "account-email" }, me.email)),
    savedMark({ record }),
  );
}

/** @typedef {import("../../state/preferences.js").Theme} Theme */
/** @typedef {import("../../state/preferences.js").Language} Language */

const THEMES = /** @type {const} */ (["system", "light", "dark", "outdoor"]);

function Appearance() {
  const text = shopWords.value.overview;
  return section(
    { class: "stack" },
    h2({}, text.groups.appearance),
    div(
      { class: "panel" },
      choice({
        label: text.theme,
        value: theme.value,
        options: THEMES.map((value) => ({ value, label: text.themes[value] })),
        onChange: (value) => (theme.value = value),
      }),
      p({ class: "quiet-text" }, text.outdoorHelp),
      languageChoice({ label: text.language, value: language.value, onChange: chooseLanguage }),
      ...switches(),
    ),
  );
}

function switches() {
  const text = shopWords.value.overview;
  return [
    // Not on every phone.
    "vibrate" in navigator &&
    toggle({ label: text.haptics, value: haptics.value, onChange: (on) => (haptics.value = on) }),
    toggle({
      label: text.shortcuts,
      help: text.shortcutsHelp,
      value: shortcuts.value,
      onChange: (on) => (shortcuts.value = on),
    }),
  ];
}

/** The account follows, so that its emails have the language, too. @param {Language} value */
function chooseLanguage(value) {
  language.value = value;
  if (session.value.me) updateProfile({ locale: value });
}

function DeleteAccount() {
  const [open, setOpen] = useState(false);
  const text = shopWords.value.account;
  return section(
    { class: "panel" },
    p({}, text.removeIntro),
    actionButton({ label: text.remove, icon: "trash-2", kind: "danger", onClick: () => setOpen(true) }),
    open && component(DeleteSheet, { onClose: () => setOpen(false) }),
  );
}

/** @param {{ onClose: () => void }} props */
function DeleteSheet({ onClose }) {
  const [password, setPassword] = useState("");
  const { busy, problem, run } = useCommand();
  const invoices = useInvoices();
  const text = shopWords.value.account;
  const remove = () => void run(() => deleteAccount(password, invoices.params));
  const wrong = wrongPassword(problem);
  const foot = actionButton({
    label: text.removeNow,
    kind: "danger",
    isFinal: true,
    busy,
    disabled: !password,
    onClick: remove,
  });
  return sheet(
    { title: text.remove, onClose, foot, problem: wrong ? null : problemNotice(problem) },
    ...consequences(),
    actionButton({ label: text.exportFirst, icon: "download", href: "/shop/export" }),
    needsConnection(),
    invoices.ask(problem),
    passwordField(password, setPassword, wrong),
  );
}

/** In a form with the account's name, so that a password manager knows which one. @param {string} value
 * @param {(value: string) => void} onInput @param {string | undefined} problem */
const passwordField = (value, onInput, problem) =>
  form(
    { onSubmit: (event) => event.preventDefault() },
    accountName(session.value.me?.email ?? ""),
    textField({
      label: shopWords.value.account.currentPassword,
      type: "password",
      value,
      autocomplete: "current-password",
      onInput,
      ...(problem ? { problem } : {}),
    }),
  );

/** @param {import("../../api/problems.js").Problem | null} problem */
function wrongPassword(problem) {
  const isWrong = problem?.code === "wrong_password" || problem?.code === "validation_error";
  return isWrong ? errorWords.value.errors.wrong_password : undefined;
}

/** What goes and what stays. */
function consequences() {
  const text = shopWords.value.account;
  const names = (/** @type {typeof workshops.value} */ list) => list.map(({ name }) => name).join(", ");
  const alone = workshops.value.filter(({ members }) => members.length === 1);
  const shared = workshops.value.filter(({ members }) => members.length > 1);
  return [
    p({}, text.removeText),
    alone.length > 0 && p({}, strong({}, text.removeWorkshops(names(alone)))),
    shared.length > 0 && p({}, text.removeStays(names(shared))),
  ];
}

// Password: changed with the present one; afterwards other devices sign in again.

/** @typedef {import("../../api/problems.js").Problem} Problem */

const NONE = { currentPassword: "", newPassword: "" };

/** @param {{ me: Api.MeProfile }} props */
const PasswordPart = ({ me }) =>
  section(
    { class: "panel" },
    me.signInMethods.includes("password")
      ? component(ChangeForm, { email: me.email })
      : component(AskForLink, { email: me.email }),
  );

/** @param {{ email: string }} props */
function ChangeForm({ email }) {
  const [body, setBody] = useState(NONE);
  const [isDone, setIsDone] = useState(false);
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.account;
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const done = await run(() => call("PUT /me/password", {}, { body }));
    setIsDone(done);
    if (done) setBody(NONE);
  };
  return form(
    { class: "stack", onSubmit: (event) => void submit(event) },
    accountName(email),
    ...fields(body, setBody, problem),
    needsConnection(),
    isDone && notice({ kind: "good", text: text.passwordChanged }),
    isAtField(problem) ? null : problemNotice(problem),
    actionButton({ label: text.changePassword, type: "submit", busy }),
  );
}

/** @param {Problem | null} problem */
const isAtField = (problem) => problem?.code === "wrong_password" || problem?.code === "validation_error";

/** @param {typeof NONE} body @param {(body: typeof NONE) => void} change @param {Problem | null} problem */
function fields(body, change, problem) {
  const text = shopWords.value.account;
  const isWrong = problem?.code === "wrong_password";
  const current = isWrong ? errorWords.value.errors.wrong_password : atField(problem, "/currentPassword");
  const next = atField(problem, "/newPassword");
  return [
    textField({
      label: text.currentPassword,
      type: "password",
      autocomplete: "current-password",
      value: body.currentPassword,
      onInput: (currentPassword) => change({ ...body, currentPassword }),
      ...(current ? { problem: current } : {}),
    }),
    textField({
      label: text.newPassword,
      type: "password",
      autocomplete: "new-password",
      value: body.newPassword,
      help: text.newPasswordHelp,
      onInput: (newPassword) => change({ ...body, newPassword }),
      ...(next ? { problem: next } : {}),
    }),
  ];
}

/** Who signs in with Google alone gets a password with a link. @param {{ email: string }} props */
function AskForLink({ email }) {
  const { busy, problem, run } = useCommand();
  const [isSent, setIsSent] = useState(false);
  const text = mailWords.value;
  if (!offers("mail")) return p({}, shopWords.value.account.noPassword);
  const ask = async () =>
    setIsSent(await run(() => call("POST /password-resets", {}, { body: { email }, isPublic: true })));
  return [
    p({}, text.noPassword),
    isSent && notice({ kind: "good", text: text.linkSent }),
    problemNotice(problem),
    needsConnection(),
    actionButton({ label: text.askForLink, icon: "mail", busy, onClick: () => void ask() }),
  ];
}

/** @param {string} email */
const accountName = (email) =>
  input({
    type: "email",
    class: "spoken",
    autocomplete: "username",
    value: email,
    readOnly: true,
    tabIndex: -1,
    "aria-hidden": "true",
  });
