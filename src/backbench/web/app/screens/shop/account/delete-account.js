// Delete account: with the password, after its consequences were said.

import { actionButton } from "../../../components/action-button.js";
import { useCommand } from "../../../components/command.js";
import { needsConnection } from "../../../components/needs-connection.js";
import { sheet } from "../../../components/sheet.js";
import { component, form, p, section, strong } from "../../../components/tags.js";
import { textField } from "../../../components/text-field.js";
import { words } from "../../../words/words.js";
import { shopWords } from "../../../words/shop.js";
import { deleteAccount, session } from "../../../state/session.js";
import { workshops } from "../../../state/workshops.js";
import { useState } from "../../../vendor/hooks.js";
import { accountName } from "./account-name.js";
import { problemNotice } from "../common/problem-notice.js";

export function DeleteAccount() {
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
  const text = shopWords.value.account;
  const remove = () => void run(() => deleteAccount(password));
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

/** @param {import("../../../api/problems.js").Problem | null} problem */
function wrongPassword(problem) {
  const isWrong = problem?.code === "wrong_password" || problem?.code === "validation_error";
  return isWrong ? words.value.common.errors.wrong_password : undefined;
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
