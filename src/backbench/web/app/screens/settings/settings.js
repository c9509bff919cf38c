// Workshop: everything that is set up once, and everything about this account.

import { once } from "../../state/commands.js";
import { actionButton } from "../../components/action-button.js";
import { choice, languageChoice, toggle } from "../../components/choice.js";
import { needsConnection, useCommand } from "../../components/command.js";
import { frame } from "../../components/frame.js";
import { linkRow, linkRows } from "../../components/link-row.js";
import { notice } from "../../components/notice.js";
import { sheet } from "../../components/sheet.js";
import { component, div, h2, p, section } from "../../components/tags.js";
import { textField } from "../../components/text-field.js";
import { offers } from "../../local/system.js";
import { customers } from "../../state/customers.js";
import { haptics, language, shortcuts, theme } from "../../state/preferences.js";
import { go } from "../../state/router.js";
import { session, updateProfile } from "../../state/session.js";
import {
  choose,
  createWorkshop,
  deleteWorkshop,
  isOwner,
  workshop,
  workshopId,
  workshops,
} from "../../state/workshops.js";
import { useState } from "../../vendor/hooks.js";
import { shopWords } from "../../words/shop.js";
import { words } from "../../words/words.js";
import { KEY } from "./keys.js";
import { issue, secretField } from "./issued.js";
import { atField, problemNotice } from "./kit.js";
import { SignOut } from "./sign-out.js";

/** @typedef {keyof typeof shopWords.value.overview.rows} Row */

export function screen() {
  const { title, groups } = shopWords.value.overview;
  return frame(
    { title, place: "shop" },
    section({ class: "stack" }, h2({}, groups.workshop), ofWorkshop(), component(Workshops, {})),
    section({ class: "stack" }, h2({}, groups.me), ofAccount()),
    component(Appearance, {}),
    more(groups.more),
  );
}

function ofWorkshop() {
  const { common } = words.value;
  const shown = workshop.value;
  return linkRows(
    {},
    component(CustomersRow, {}),
    row("sign", "store", shown?.name),
    row("documents", "file-text"),
    row("numbers", "percent"),
    row("messages", "message-circle"),
    row("team", "users", shown && common.people(shown.members.length)),
    offers("plans") && row("plan", "wallet", shown && common.plans[shown.plan]),
    row("files", "image"),
    row("connections", "link"),
    isOwner.value && row("activity", "history"),
  );
}

function CustomersRow() {
  const [title = "", usual = ""] = shopWords.value.overview.rows.customers;
  const count = customers.value.length;
  const detail = count ? words.value.common.people(count) : usual;
  return linkRow({ href: "/customers", title, detail, icon: "users" });
}

const ofAccount = () =>
  linkRows(
    {},
    row("account", "user", session.value.me?.name),
    row("devices", "smartphone"),
    row("keys", "key-round"),
    row("export", "download"),
  );

/** @param {string} title */
function more(title) {
  return section(
    { class: "stack" },
    h2({}, title),
    component(Wall, {}),
    component(Feedback, {}),
    component(SignOut, {}),
    component(DeleteWorkshop, {}),
  );
}

/** @param {Row} name @param {string} icon @param {string | null} [detail] */
function row(name, icon, detail) {
  const [title, usual] = shopWords.value.overview.rows[name];
  return linkRow({ href: `/shop/${name}`, title: title ?? "", detail: detail ?? usual, icon });
}

function Wall() {
  const [open, setOpen] = useState(false);
  return div(
    { class: "stack" },
    actionButton({ label: shopWords.value.overview.wall, icon: "monitor", onClick: () => setOpen(true) }),
    open && component(WallSheet, { onClose: () => setOpen(false) }),
  );
}

/** @param {{ onClose: () => void }} props */
function WallSheet({ onClose }) {
  const [link, setLink] = useState("");
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.overview;
  const make = () =>
    void run(async () => {
      /** @type {Api.NewApiKey} */
      const body = { name: text.wallKey, scopes: ["orders:read"], workshopId: workshopId.value };
      const { secret } = await issue({ ...KEY, intent: "wall key" }, body);
      setLink(`${location.origin}/floor#${secret}`);
    });
  return sheet(
    { title: text.wall, onClose },
    p({}, text.wallHelp),
    needsConnection(),
    problemNotice(problem),
    link
      ? secretField({ label: text.wall, secret: link, note: text.wallOnce })
      : actionButton({ label: text.wallMake, icon: "link", kind: "main", busy, onClick: make }),
    actionButton({ label: text.wallHere, icon: "monitor", href: "/floor" }),
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

// Delete workshop: for owners, after its name was typed.

function DeleteWorkshop() {
  const [open, setOpen] = useState(false);
  if (!isOwner.value) return null;
  return div(
    { class: "stack" },
    actionButton({
      label: shopWords.value.overview.deleteWorkshop,
      icon: "trash-2",
      kind: "quiet",
      onClick: () => setOpen(true),
    }),
    open && component(DeleteSheet, { onClose: () => setOpen(false) }),
  );
}

/** @param {{ onClose: () => void }} props */
function DeleteSheet({ onClose }) {
  const [typed, setTyped] = useState("");
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.overview;
  const name = workshop.value?.name ?? "";
  const remove = () =>
    void run(async () => {
      await deleteWorkshop();
      go("/", { replace: true });
    });
  return sheet(
    {
      title: text.deleteWorkshop,
      onClose,
      foot: actionButton({
        label: text.deleteNow,
        kind: "danger",
        isFinal: true,
        disabled: typed.trim() !== name.trim(),
        busy,
        onClick: remove,
      }),
      problem: problemNotice(problem),
    },
    p({}, text.deleteText(name)),
    actionButton({ label: text.exportFirst, icon: "download", kind: "quiet", href: "/shop/export" }),
    needsConnection(),
    textField({ label: text.deleteType(name), value: typed, onInput: setTyped, autocomplete: "off" }),
  );
}

// Workshops: the others of this account, and a new one.

function Workshops() {
  const [open, setOpen] = useState(false);
  const text = shopWords.value.overview;
  const others = workshops.value.filter(({ id }) => id !== workshop.value?.id);
  const show = (/** @type {string} */ id) => {
    choose(id);
    go("/");
  };
  return div(
    { class: "stack" },
    others.length > 0 && h2({}, text.switchTitle),
    ...others.map((one) =>
      actionButton({ label: `${one.logo} ${one.name}`, wide: true, onClick: () => show(one.id) })
    ),
    div(
      {},
      actionButton({ label: text.newWorkshop, icon: "plus", kind: "quiet", onClick: () => setOpen(true) }),
    ),
    open && component(NewWorkshop, { onClose: () => setOpen(false) }),
  );
}

/** @param {{ onClose: () => void }} props */
function NewWorkshop({ onClose }) {
  const [name, setName] = useState("");
  const { busy, problem, run } = useCommand();
  const text = shopWords.value.overview;
  const make = () =>
    void run(async () => {
      await createWorkshop({ name });
      go("/shop/sign");
    });
  const atName = name.trim() === "" && problem ? shopWords.value.sign.nameMissing : atField(problem, "/name");
  return sheet(
    {
      title: text.newWorkshop,
      onClose,
      foot: actionButton({ label: words.value.common.buttons.add, kind: "main", busy, onClick: make }),
      problem: atName ? null : problemNotice(problem),
    },
    needsConnection(),
    textField({
      label: text.workshopName,
      value: name,
      onInput: setName,
      maxLength: 250,
      autofocus: true,
      ...(atName ? { problem: atName } : {}),
    }),
  );
}

// Feedback: a question or an idea, to the people who run the server.

const KINDS = /** @type {const} */ (["support", "feedback"]);

function Feedback() {
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
      await run(() => once("POST /feedback", {}, { body: { ...body, path: location.pathname } })),
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

/** @param {any} body @param {(body: any) => void} change @param {import("../../api/problems.js").Problem | null} problem */
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
