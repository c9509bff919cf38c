// Password: changed with the present one; afterwards other devices sign in again.

import { call } from "../../../api/client.js";
import { actionButton } from "../../../components/action-button.js";
import { useCommand } from "../../../components/command.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { notice } from "../../../components/notice.js";
import { component, form, p, section } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { words } from "../../../words/words.js";
import { mailWords } from "../../../words/mail.js";
import { shopWords } from "../../../words/shop.js";
import { offers } from "../../../local/offers.js";
import { useState } from "../../../vendor/hooks.js";
import { accountName } from "./account-name.js";
import { atField, problemNotice } from "../common/problem-notice.js";

/** @typedef {import("../../../api/problems.js").Problem} Problem */

const NONE = { currentPassword: "", newPassword: "" };

/** @param {{ me: Api.MeProfile }} props */
export const PasswordPart = ({ me }) =>
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
  const current = isWrong ? words.value.common.errors.wrong_password : atField(problem, "/currentPassword");
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
